import { geodeticOf, type Vector } from '@platen/geo/geodesy/geocentric';
import type { LocalFrame } from '@platen/geo/geodesy/local-frame';
import type { Region } from '../../models/region.ts';
import { unitMetres, type Piece } from '../mesh/piece.ts';

/** Degrees and metres that a region is larger than what is in it, for what rounding moves. */
const [marginDegrees, marginMetres] = [1e-7, 0.02];

/** What a piece covers on the globe. */
export function pieceRegion({ positions }: Piece, { origin, east, north, up }: LocalFrame): Region {
  const extent = createExtent();
  for (let i = 0; i < positions.length; i += 3) {
    const [e, n, u] = [
      positions[i]! * unitMetres,
      positions[i + 1]! * unitMetres,
      positions[i + 2]! * unitMetres,
    ];
    const at = (axis: 0 | 1 | 2): number => origin[axis] + east[axis] * e + north[axis] * n + up[axis] * u;
    extent.add([at(0), at(1), at(2)]);
  }
  return extent.region();
}

/** What positions of EPSG:4978 cover. */
export function regionOfPlaces(lists: readonly Float64Array[]): Region {
  const extent = createExtent();
  for (const list of lists)
    for (let i = 0; i < list.length; i += 3) extent.add([list[i]!, list[i + 1]!, list[i + 2]!]);
  return extent.region();
}

function createExtent() {
  let [west, south, lowest] = [Infinity, Infinity, Infinity];
  let [east, north, highest] = [-Infinity, -Infinity, -Infinity];
  return {
    add(place: Vector): void {
      const [lon, lat, height] = geodeticOf(place);
      west = Math.min(west, lon);
      east = Math.max(east, lon);
      south = Math.min(south, lat);
      north = Math.max(north, lat);
      lowest = Math.min(lowest, height);
      highest = Math.max(highest, height);
    },
    region: (): Region => [
      west - marginDegrees,
      south - marginDegrees,
      east + marginDegrees,
      north + marginDegrees,
      lowest - marginMetres,
      highest + marginMetres,
    ],
  };
}
