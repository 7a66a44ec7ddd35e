import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import { planUnits, type DegreeBox } from '../../raster-source/plan-units.ts';
import type { SheetRecord } from '../../raster-source/sheet-records.ts';
import { blocksOfUnit, keyOf, type PyramidShape, type ZoomLayer } from '../../raster-source/zoom-layers.ts';
import type { PlannedSheet } from '../plan-sheets.ts';

/** Where cells may have values of a sheet: its box, and more than what places are off. */
export function reachOfSheet({ box, pixelDegrees }: Pick<PlannedSheet, 'box' | 'pixelDegrees'>): DegreeBox {
  const [west, south, east, north] = box;
  const more = 2 * pixelDegrees;
  const wide = more / Math.max(0.01, Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180));
  return [west - wide, south - more, east + wide, north + more];
}

/** The sheets of a run in the order in which they count. */
interface PlacedSheets {
  readonly sheets: readonly SheetRecord[];
  readonly boxes: readonly DegreeBox[];
}

/** More are as expensive as units that are made as wholes. */
const maxTouchedBlocks = 250_000;

/**
 * The keys of the blocks of the base that sheets touch which only one of two runs has.
 * @returns undefined if the others do not count in the same order, or if there are very many
 */
export function touchedBlocks(
  { grid, baseZoom }: PyramidShape,
  former: PlacedSheets,
  now: PlacedSheets,
): ReadonlySet<string> | undefined {
  const identities = (one: PlacedSheets): Set<string> => new Set(one.sheets.map(([, identity]) => identity));
  const [before, after] = [identities(former), identities(now)];
  const keptOf = (one: PlacedSheets, other: ReadonlySet<string>): string[] =>
    one.sheets.flatMap(([, identity]) => (other.has(identity) ? [identity] : []));
  const kept = keptOf(now, before);
  const keptBefore = keptOf(former, after);
  if (kept.length !== keptBefore.length || kept.some((identity, i) => identity !== keptBefore[i]))
    return undefined;
  const changed = [former, now].flatMap((one, i) =>
    one.sheets.flatMap(([, identity], number) =>
      [after, before][i]!.has(identity) ? [] : [{ box: one.boxes[number]! }],
    ),
  );
  const blocks = planUnits({ grid, baseZoom, depth: 1 }, changed);
  if (!blocks || blocks.length > maxTouchedBlocks) return undefined;
  return new Set(blocks.map(({ unit }) => keyOf(unit)));
}

/**
 * The keys of the blocks of some units of the base that have changed, and of all above them.
 * @param touched those of the base that may have; undefined: all
 */
export function withAllAbove(
  units: readonly BlockPlace[],
  layer: ZoomLayer,
  touched: ReadonlySet<string> | undefined,
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const unit of units) {
    for (let place of blocksOfUnit(unit, layer)) {
      if (place.z < layer.bottomZoom || touched?.has(keyOf(place)) === false) continue;
      while (place.z >= 0 && !keys.has(keyOf(place))) {
        keys.add(keyOf(place));
        place = { z: place.z - 1, x: place.x >> 1, y: place.y >> 1 };
      }
    }
  }
  return keys;
}
