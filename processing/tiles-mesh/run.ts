import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { FailureCode } from '@platen/contract/failure-codes';
import { withoutGeoid } from '../heights/open-heights.ts';
import { JobFailure, type JobResult, type RunJob } from '../job-type.ts';
import { identityOf, openCheckpoint } from '../kit/checkpoint.ts';
import { expectAnswer } from '../kit/expect-answer.ts';
import { memoryBudget, planMemory } from '../kit/memory-plan.ts';
import { runAll } from '../kit/run-all.ts';
import { createStopwatch } from '../kit/stopwatch.ts';
import { emitWarnings, mergeWarnings } from '../kit/warning-counter.ts';
import { withinMemory } from '../kit/within-memory.ts';
import { createWorkerPool } from '../kit/worker-pool.ts';
import { memoryToRead } from '../models/read-mesh-file.ts';
import { tilesetResult } from '../models/tileset-result.ts';
import { writeTileTree } from '../models/write-tile-tree.ts';
import { findMeshes, type FoundMeshes } from './find-models.ts';
import { keepTilesets } from './keep/keep-tilesets.ts';
import { makeMeshTiles } from './make-tiles.ts';
import type { MeshRun } from './mesh-run.ts';
import { reportFaults } from './report-faults.ts';
import { readSettings, type Settings } from './settings.ts';
import type { tilesMesh } from './spec.ts';
import type { Answer, CutAnswer, Fault, MadeTile, Origin, ReadAnswer, Setup, Task } from './tasks.ts';
import { mergeGrids, planCells, type PlannedCell } from './tree/plan-cells.ts';
import { tilesMeshType } from './type.ts';

/** Increase it when the shape of the saved units changes: a checkpoint in another format is discarded. */
const format = 1;
const megabyte = 2 ** 20;
/** Of a page of textures, what crops usually fill. */
const filledShare = 0.7;

/** Makes a tileset of meshes with levels of detail. */
export const runTilesMesh: RunJob<typeof tilesMesh> = async (options, context) => {
  const settings = readSettings(options);
  if (context.inputs.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  const folder = join(context.scratchFolder, 'mesh');
  const unpacked = join(context.scratchFolder, 'mesh-inputs');
  const checkpoint = openCheckpoint<Record<string, never>, Answer>(
    folder,
    identityOf([format, tilesMeshType.version], options, context),
  );
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  const found = await findMeshes(withoutGeoid(context.inputs, settings.heights), unpacked, {
    settings,
    context,
  });
  requireOptions(settings, found);
  const memory = planMemory({
    budgetBytes: memoryBudget(settings.memoryMegabytes, context.limits),
    workers: settings.workers ?? availableParallelism(),
    shares: {
      image: { weight: 50, isPerWorker: true, minBytes: 64 * megabyte, maxBytes: 512 * megabyte },
      mesh: { weight: 50, isPerWorker: true, minBytes: 64 * megabyte },
    },
  });
  const readerBytes = (memory.bytes.image + memory.bytes.mesh) * memory.workers;
  const setup: Omit<Setup, 'worker'> = {
    settings,
    models: found.models,
    images: found.images,
    sides: found.sides,
    inputs: context.inputs,
    geoidFolder: context.geoidFolder,
    folder,
    attempt: checkpoint.attempt,
    imageBytes: memory.bytes.image,
    // tiles that are kept are read by all threads at a time
    maxDecodingBytes: found.kept.length > 0 ? readerBytes / memory.workers : readerBytes,
  };
  const total = found.models.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const pool = createWorkerPool<Task, Answer, { readonly bytes: number }>({
    program: new URL('worker.ts', import.meta.url),
    size: memory.workers,
    setup,
    signal: context.signal,
    onReport({ bytes }) {
      done = Math.min(total, done + bytes);
      context.progress('read', done, total);
    },
  });
  try {
    const job = { settings, found, pool, checkpoint, context, folder, readerBytes };
    return await (found.kept.length > 0 ? keepTilesets(job) : run(job));
  } finally {
    await pool.close();
    rmSync(unpacked, { recursive: true, force: true });
    if (context.keepsScratch !== true) rmSync(folder, { recursive: true, force: true });
  }
};

/** @throws JobFailure if options do not suit the inputs */
function requireOptions({ mode, version }: Settings, { kept }: FoundMeshes): void {
  if (kept.length > 0 && mode === 'flat')
    throw new JobFailure(
      'invalidOption',
      '/heights/mode: tilesets that are kept stay at their height. Choose to rebuild them, or set /heights/offset.',
    );
  if (kept.length === 0 && version === '1.0')
    throw new JobFailure(
      'invalidOption',
      '/output/version: new levels of detail are made as 3D Tiles 1.1 only; convert that tileset to 1.0 by another task.',
    );
}

async function run(job: MeshRun): Promise<JobResult> {
  const { settings, found, context, folder } = job;
  const watch = createStopwatch(context);
  const origin = await findOrigin(job);
  const read = await readModels(job, origin);
  const usable = read.filter((one) => one.mesh !== undefined);
  if (usable.length === 0)
    throw new JobFailure(
      'nothingUsable',
      'None of the inputs has a triangle that can be shown: see the warnings.',
    );
  watch.lap('read', { models: found.models.length });
  const root = planCells(mergeGrids(usable.map(({ grid }) => grid)), {
    triangles: settings.maxTriangles,
    texels: settings.textureSide ** 2 * filledShare,
  });
  const cut = await cutModels(job, usable, root);
  watch.lap('divide', {});
  // flat: the lowest point of all comes onto the ellipsoid
  const lowest = Math.min(...usable.map((one) => one.lowest));
  const shift = settings.mode === 'flat' ? (settings.heights.offset ?? 0) - lowest : 0;
  const made = await makeMeshTiles(job, { root, cut, origin: { ...origin, height: origin.height + shift } });
  watch.lap('make', { tiles: made.size });
  await job.pool.close();
  const written = await writeTileTree(
    { root, made, version: '1.1', format: settings.format, folder },
    context,
  );
  watch.lap('write', {});
  return tilesetResult(written, propertiesOf(usable, made, root));
}

function propertiesOf(
  read: readonly ReadAnswer[],
  made: ReadonlyMap<string, MadeTile>,
  root: PlannedCell,
): Record<string, unknown> {
  let triangles = 0;
  const visit = (cell: PlannedCell): void => {
    if (cell.children.length === 0) triangles += made.get(cell.name)?.triangles ?? 0;
    for (const child of cell.children) visit(child);
  };
  visit(root);
  const heights = new Map(read.map((one) => [JSON.stringify(one.heights), one.heights]));
  return {
    triangleCount: triangles,
    tileCount: [...made.values()].filter(({ content }) => content !== undefined).length,
    heights: [...heights.values()],
  };
}

/** Where positions are counted from: the place of the options, or a position of the first model that has one. */
async function findOrigin({ settings, found, pool }: MeshRun): Promise<Origin> {
  const { longitude, latitude, height = 0 } = settings.placement;
  if (longitude !== undefined && latitude !== undefined) return { lon: longitude, lat: latitude, height };
  let first: Fault | undefined;
  for (const model of found.models.keys()) {
    const { origin, failure } = expectAnswer(await pool.run({ kind: 'find', model }), 'find');
    if (origin !== undefined) return origin;
    first ??= failure;
  }
  if (first !== undefined) throw new JobFailure(first.code as FailureCode, first.message);
  throw new JobFailure('nothingUsable', 'None of the inputs has a position on earth.');
}

/** @returns what the models contain, in the order of the inputs @throws JobFailure */
async function readModels(
  { settings, found, pool, checkpoint, context, readerBytes }: MeshRun,
  origin: Origin,
): Promise<ReadAnswer[]> {
  const known = new Map<number, ReadAnswer>();
  for (const unit of checkpoint.units) if (unit.kind === 'read') known.set(unit.model, unit);
  const open = [...found.models.keys()].filter((model) => !known.has(model));
  const tasks = open.map((model): Task => ({ kind: 'read', model, origin }));
  const bytesOf = (task: Task): number =>
    task.kind === 'read' ? memoryToRead(found.models[task.model]!) : 0;
  await runAll(withinMemory(pool, readerBytes, bytesOf), tasks, (answer) => {
    const unit = expectAnswer(answer, 'read');
    checkpoint.append(unit);
    known.set(unit.model, unit);
  });
  const read = found.models.map((_, model) => known.get(model)!);
  emitWarnings(mergeWarnings(read.flatMap(({ warnings }) => warnings)), context.warn);
  reportFaults(read, settings.strict, context);
  return read;
}

/** @returns what each leaf gets of each model, in the order of the inputs */
async function cutModels(
  { pool, checkpoint, context }: MeshRun,
  read: readonly ReadAnswer[],
  root: PlannedCell,
): Promise<CutAnswer[]> {
  const known = new Map<number, CutAnswer>();
  for (const unit of checkpoint.units) if (unit.kind === 'cut') known.set(unit.model, unit);
  const isTextured = read.some(({ hasImages }) => hasImages);
  const open = read.filter(({ model }) => !known.has(model));
  const tasks = open.map(({ model, mesh }): Task => ({ kind: 'cut', model, mesh: mesh!, root, isTextured }));
  context.progress('divide', known.size, read.length);
  await runAll(pool, tasks, (answer) => {
    const unit = expectAnswer(answer, 'cut');
    checkpoint.append(unit);
    known.set(unit.model, unit);
    context.progress('divide', known.size, read.length);
  });
  const cut = read.map(({ model }) => known.get(model)!);
  emitWarnings(mergeWarnings(cut.flatMap(({ warnings }) => warnings)), context.warn);
  return cut;
}
