import { expectAnswer } from '../../kit/expect-answer.ts';
import { runAll } from '../../kit/run-all.ts';
import { sign, type Signature } from '../../raster-source/sign-units.ts';
import { keyOf } from '../../raster-source/zoom-layers.ts';
import { keysAround, ordersOf, rangesAbove, reach, type TilePlan, type TileUnit } from './order-tiles.ts';
import type { TerrainRun } from '../terrain-run.ts';

/**
 * Says for the tiles of each unit what they depend on: if all cells of the unit and around it have data, on those alone; otherwise on
 * more units, and on what the zoom above has to fill holes from.
 * @returns by the key of the unit
 */
export async function signTiles(
  { pool }: TerrainRun,
  plan: TilePlan,
  units: readonly TileUnit[],
): Promise<Map<string, Signature>> {
  const { pyramid, shape } = plan;
  const signatureOf = (one: TileUnit, distance: number, above?: Signature): Signature => {
    const around = keysAround(one.unit, distance, shape).map((key) => pyramid.units.get(key)?.signature ?? 0);
    return sign([ordersOf(plan, one), around, above]);
  };
  const isWithin = ({ unit }: TileUnit): boolean =>
    keysAround(unit, 1, shape).every((key) => pyramid.units.get(key)?.isFull);
  const signatures = new Map(units.map((one) => [keyOf(one.unit), isWithin(one) ? signatureOf(one, 1) : '']));
  const open = units.filter(({ unit }) => signatures.get(keyOf(unit)) === '');
  await runAll(
    pool,
    (function* () {
      for (const one of open)
        yield { kind: 'surroundings', unit: one.unit, units: rangesAbove(plan, one) } as const;
    })(),
    (answer, number) => {
      const one = open[number]!;
      const { signature } = expectAnswer(answer, 'surroundings');
      signatures.set(keyOf(one.unit), signatureOf(one, reach, signature));
    },
  );
  return signatures;
}
