import { findCrs } from '@platen/formats/crs/find-crs';
import { coordinateBoxes, guessCrs } from '@platen/formats/crs/guess-crs';
import type { Box } from '../box.ts';

/** Any zone of UTM: latitudes hardly depend on it. */
const anyZone = 'EPSG:32632';
const utm = coordinateBoxes.find(({ words }) => words.startsWith('UTM,'))!.box;

/** A sentence on the coordinate systems that coordinates may be in; empty if nothing is likely. Of UTM they do not show the zone. */
export function likelySystem([west, south, east, north]: Box): string {
  const { suggestions } = guessCrs(Float64Array.of(west, south, east, north), 2);
  const isUtm = west >= utm[0] && east <= utm[2] && south >= utm[1] && north <= utm[3];
  const words = suggestions.flatMap(({ code, words: name }) =>
    name.startsWith('UTM,') || (isUtm && code === 'EPSG:3857') ? [] : [`${name} (${code})`],
  );
  if (isUtm) {
    const place = Float64Array.of((west + east) / 2, (south + north) / 2);
    findCrs(anyZone).toLonLat(place, 1);
    words.push(
      `UTM at ${place[1]!.toFixed(1)}° N, whose zone they do not show (such as EPSG:25832 in Germany or EPSG:26912 in the west of North America)`,
    );
  }
  return words.length === 0 ? '' : `They look like ${words.join(', or ')}. `;
}
