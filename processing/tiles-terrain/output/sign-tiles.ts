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
  const signatureOfUnit = (key: string): Signature | undefined => pyramid.units.get(key)?.signature;
  const signatures = new Map(
    units.map((one) => [
      keyOf(one.unit),
      isWithinData(plan, one) ? signWithin(plan, one, signatureOfUnit) : '',
    ]),
  );
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
      const around = keysAround(one.unit, reach, shape).map((key) => signatureOfUnit(key) ?? 0);
      signatures.set(keyOf(one.unit), sign([ordersOf(plan, one), around, signature]));
    },
  );
  return signatures;
}

/** Whether all cells of a unit and around it have data. */
export function isWithinData({ pyramid, shape }: TilePlan, { unit }: TileUnit): boolean {
  return keysAround(unit, 1, shape).every((key) => pyramid.units.get(key)?.isFull);
}

/** What the tiles of a unit within the data depend on. @param signatureOf of a unit of the pyramid */
export function signWithin(
  plan: TilePlan,
  one: TileUnit,
  signatureOf: (key: string) => Signature | undefined,
): Signature {
  const around = keysAround(one.unit, 1, plan.shape).map((key) => signatureOf(key) ?? 0);
  return sign([ordersOf(plan, one), around, undefined]);
}
