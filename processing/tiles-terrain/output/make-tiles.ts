import { addLayers, type Layers } from '../../features/layers.ts';
import { expectAnswer } from '../../kit/expect-answer.ts';
import type { MadeTiles } from '../../kit/merge-tiles.ts';
import { runSideBySide } from '../../kit/run-all.ts';
import type { UnitTiles } from '../../kit/tile-log.ts';
import type { Signature } from '../../raster-source/sign-units.ts';
import { keyOf, layersOf } from '../../raster-source/zoom-layers.ts';
import { rangesAround, tileUnitsOf, type TilePlan, type TileUnit } from './order-tiles.ts';
import { planWork, type TileWork } from './plan-work.ts';
import type { TerrainRun } from '../terrain-run.ts';
import { signTiles } from './sign-tiles.ts';

export interface MadeTerrain {
  readonly tiles: MadeTiles;
  /** Statistics of contour lines. */
  readonly lines: Layers;
  /** By the key of a unit, what its tiles depend on; undefined if no update goes on from this run. */
  readonly signatures: ReadonlyMap<string, Signature> | undefined;
  /** Units whose tiles are as they were. */
  readonly copied: number;
  /** Tiles that were made, not copied. */
  readonly made: number;
}

interface MadeUnitTiles {
  readonly tiles: UnitTiles;
  readonly lines: Layers;
}

/** Makes all tiles, unit by unit, or copies them. */
export async function makeTiles(run: TerrainRun, plan: TilePlan): Promise<MadeTerrain> {
  const { pool, checkpoint, context, identities } = run;
  const { tileSet } = plan;
  const made = new Map<string, MadeUnitTiles>(
    checkpoint.units.flatMap((one) => (one.kind === 'tiles' ? [[one.key, one] as const] : [])),
  );
  const units = tileUnitsOf(plan);
  const signatures = identities && (await signTiles(run, plan, units));
  let done = 0;
  const add = (key: string, unit: MadeUnitTiles): void => {
    made.set(key, unit);
    done += countOf(unit.tiles);
    context.progress('make', done, tileSet.count);
  };
  for (const { tiles } of made.values()) done += countOf(tiles);
  context.progress('make', done, tileSet.count);
  const copied = await copyTiles(
    run,
    units.filter(({ unit }) => !made.has(keyOf(unit))),
    { signatures, add },
  );
  const open = units.filter(({ unit }) => !made.has(keyOf(unit)));
  const work = planWork(run, plan, open);
  await readBase(plan, work);
  const save = (key: string, unit: MadeUnitTiles): void => {
    checkpoint.append({ kind: 'tiles', key, ...unit });
    add(key, unit);
  };
  const parts = new Map<TileUnit, UnitTiles>();
  let madeTiles = 0;
  // the heights around a unit are those of the units beside it
  await runSideBySide(
    pool,
    work.map((one) => () => ({
      kind: 'tiles' as const,
      tiles: one.tiles(),
      units: rangesAround(plan, one, one.keys),
    })),
    (answer, number) => {
      const { tiles, lines } = expectAnswer(answer, 'tiles');
      const one = work[number]!;
      madeTiles += countOf(tiles);
      if (one.isPart) parts.set(one, tiles);
      else save(keyOf(one.unit), { tiles, lines });
    },
  );
  for (const [{ unit }, part] of parts) {
    context.signal.throwIfAborted();
    save(keyOf(unit), { tiles: await run.former!.copyTiles(unit, part), lines: new Map() });
  }
  // each zoom belongs to one layer, in which the units follow each other along the Hilbert curve
  const all = units.map(({ unit }) => made.get(keyOf(unit))!);
  const lines: Layers = new Map();
  for (const one of all) addLayers(lines, one.lines);
  return {
    tiles: { leaves: all.map(({ tiles }) => tiles), tops: [] },
    lines,
    signatures,
    copied,
    made: madeTiles,
  };
}

function countOf(tiles: UnitTiles): number {
  return tiles.reduce((sum, zoom) => sum + (zoom?.tiles ?? 0), 0);
}

interface CopyOptions {
  readonly signatures: ReadonlyMap<string, Signature> | undefined;
  readonly add: (key: string, unit: MadeUnitTiles) => void;
}

/** @returns how many units are as they were */
async function copyTiles(
  { former, context }: TerrainRun,
  units: readonly TileUnit[],
  { signatures, add }: CopyOptions,
): Promise<number> {
  if (!former || !signatures) return 0;
  let copied = 0;
  for (const { unit } of units) {
    context.signal.throwIfAborted();
    const key = keyOf(unit);
    if (!former.hasTiles(unit, signatures.get(key)!)) continue;
    add(key, { tiles: await former.copyTiles(unit), lines: new Map() });
    copied++;
  }
  return copied;
}

/** Reads the base where tiles are made of it. */
async function readBase({ pyramid, shape }: TilePlan, work: readonly TileWork[]): Promise<void> {
  const base = layersOf(shape)[0]!;
  const open = work.filter(({ layer }) => layer.rootZoom === base.rootZoom);
  await pyramid.read(new Set(open.flatMap(({ keys }) => keys)));
}
