import { blockCounts, type BlockPlace, type HeightGrid } from '@platen/geo/terrain/height-grid';
import { keyOf, layersOf, unitOf } from '../../raster-source/zoom-layers.ts';
import { withAllAbove } from '../pyramid/touched-blocks.ts';
import type { TerrainRun } from '../terrain-run.ts';
import type { TileOrder } from '../tasks.ts';
import { keysAround, ordersOf, reach, type TilePlan, type TileUnit } from './order-tiles.ts';
import { isWithinData, signWithin } from './sign-tiles.ts';

/** What to make of a unit. */
export interface TileWork extends TileUnit {
  /** Made when asked, as all of a large archive together need much memory. */
  tiles(): TileOrder[];
  /** Whether its other tiles are as they were. */
  readonly isPart: boolean;
  /** The units of its layer whose cells the tiles are made of. */
  readonly keys: readonly string[];
}

/** Finds what has to be made: of units amid the data only tiles that changed blocks touch. */
export function planWork(run: TerrainRun, plan: TilePlan, units: readonly TileUnit[]): TileWork[] {
  const changed = changedBlocks(run, plan);
  const { shape } = plan;
  return units.map((one) => {
    const isWithin = isWithinData(plan, one);
    if (!changed || !isWithin || !wasLikeThis(run, plan, one)) {
      const keys = keysAround(one.unit, isWithin ? 1 : reach, shape);
      return { ...one, tiles: () => ordersOf(plan, one), isPart: false, keys };
    }
    const around = ({ place }: TileOrder): BlockPlace[] => blocksAround(place, plan.margin, shape.grid);
    const tiles = (): TileOrder[] =>
      ordersOf(plan, one).filter((tile) => around(tile).some((block) => changed.has(keyOf(block))));
    const keys = tiles().flatMap((tile) => around(tile).map((block) => keyOf(unitOf(block, one.layer))));
    return { ...one, tiles, isPart: true, keys: [...new Set(keys)] };
  });
}

/** More units of the base are as expensive as their tiles. */
const maxChangedUnits = 4096;

/** The keys of blocks whose heights may have changed, at every zoom; undefined: too many, or there are no former ones. */
function changedBlocks({ shape, former }: TerrainRun, { pyramid, hasWater }: TilePlan) {
  if (!former) return undefined;
  const base = layersOf(shape)[0]!;
  const changed = pyramid.all.filter(
    ({ unit, signature }) => unit.z === base.rootZoom && former.signatureOf(keyOf(unit)) !== signature,
  );
  if (changed.length > maxChangedUnits) return undefined;
  const units = changed.map(({ unit }) => unit);
  // the level of water depends on heights anywhere around it
  return withAllAbove(units, base, hasWater ? undefined : former.touched);
}

/** Whether a unit had the same tiles, and lay amid the data, as the form of its former signature shows. */
function wasLikeThis({ former }: TerrainRun, plan: TilePlan, one: TileUnit): boolean {
  return former!.hasTiles(
    one.unit,
    signWithin(plan, one, (key) => former!.signatureOf(key)),
  );
}

function blocksAround({ z, x, y }: BlockPlace, margin: number, grid: HeightGrid): BlockPlace[] {
  const [columns, rows] = blockCounts(grid, z);
  const blocks: BlockPlace[] = [];
  for (let row = Math.max(0, y - margin); row <= Math.min(rows - 1, y + margin); row++)
    for (let column = x - margin; column <= x + margin; column++)
      blocks.push({ z, x: (column + columns) % columns, y: row });
  return blocks;
}
