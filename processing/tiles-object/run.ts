import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { FailureCode } from '@platen/contract/failure-codes';
import { withoutGeoid } from '../heights/open-heights.ts';
import { JobFailure, type JobContext, type RunJob } from '../job-type.ts';
import { memoryBudget } from '../kit/memory-plan.ts';
import { runAll } from '../kit/run-all.ts';
import { createStopwatch } from '../kit/stopwatch.ts';
import { emitWarnings, mergeWarnings } from '../kit/warning-counter.ts';
import { withinMemory } from '../kit/within-memory.ts';
import { createWorkerPool, type WorkerPool } from '../kit/worker-pool.ts';
import { maxProperties, mergeFacts, propertiesOf } from '../models/attribute-facts.ts';
import { openObjectCheckpoint, type ObjectCheckpoint } from './checkpoint.ts';
import { chooseShapes } from './choose-shapes.ts';
import { makeTiles } from './make-tiles.ts';
import { planObjectMemory } from './memory.ts';
import { memoryToRead } from '../models/read-mesh-file.ts';
import { createObjectRules } from './object-rules.ts';
import { takeTerrain } from '../terrain-source/take-terrain.ts';
import { readSettings, type Settings } from './settings.ts';
import { readCodeLists } from './source/code-lists.ts';
import { findModels, type FoundModels } from './source/find-models.ts';
import type { tilesObject } from './spec.ts';
import { findTasks, linkTasks } from './source/link-parts.ts';
import type { Answer, FoundIds, ReadModelAnswer, Setup, Task } from './tasks.ts';
import { filledShare } from './tile-task.ts';
import { planTree } from './tree/plan-tree.ts';
import { writeOutput } from './write-output.ts';

/** Makes a tileset of one or many city models. */
export const runTilesObject: RunJob<typeof tilesObject> = async (options, context) => {
  const settings = readSettings(options);
  if (context.inputs.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  await createObjectRules(settings, { file: '', warn: context.warn, count: () => 0 }); // wrong expressions fail at once
  const watch = createStopwatch(context);
  const folder = join(context.scratchFolder, 'city');
  const unpacked = join(context.scratchFolder, 'city-inputs');
  const checkpoint = openObjectCheckpoint(folder, options, context);
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  const { terrain, others } = await takeTerrain(
    withoutGeoid(context.inputs, settings.heights),
    settings.mode,
  );
  const found = await findModels(others, unpacked, { settings, context });
  const memory = planObjectMemory(
    memoryBudget(settings.memoryMegabytes, context.limits),
    settings.workers ?? availableParallelism(),
  );
  const setup: Omit<Setup, 'worker'> = {
    settings,
    found,
    codeLists: await readCodeLists(found.codeLists),
    inputs: context.inputs,
    geoidFolder: context.geoidFolder,
    terrain,
    folder,
    attempt: checkpoint.attempt,
    imageBytes: memory.imageBytes,
    maxDecodingBytes: memory.readerBytes,
  };
  const progress = createReadProgress(found, context);
  const pool = createWorkerPool<Task, Answer, { readonly bytes: number }>({
    program: new URL('worker.ts', import.meta.url),
    size: memory.workers,
    setup,
    signal: context.signal,
    onReport: ({ bytes }) => progress(bytes),
  });
  try {
    const read = await readModels(found, pool, {
      checkpoint,
      settings,
      context,
      readerBytes: memory.readerBytes,
    });
    const shapes = chooseShapes(read, context);
    if (shapes.length === 0)
      throw new JobFailure(
        'nothingUsable',
        settings.filter === undefined
          ? 'None of the objects of the inputs can be shown: see the warnings.'
          : 'None of the objects of the inputs can be shown, or the filter leaves all of them out: see the warnings.',
      );
    const facts = mergeFacts(read.map((one) => one.facts));
    if (facts.size > maxProperties)
      context.warn(
        'tooManyAttributes',
        `The objects have ${facts.size} attributes. The first ${maxProperties} by name are kept.`,
      );
    const properties = propertiesOf(facts, shapes.length);
    watch.lap('read', { models: found.models.length, features: shapes.length });
    const root = planTree(shapes, {
      triangles: settings.maxTriangles,
      features: settings.maxFeatures,
      maxLevels: settings.maxLevels,
      texturedMetres: (settings.textureSide * settings.metresPerTexel) ** 2 * filledShare,
    });
    const made = await makeTiles({ root, properties, pool, checkpoint, context });
    emitWarnings(mergeWarnings([...made.values()].flatMap(({ warnings }) => warnings)), context.warn);
    watch.lap('make', { tiles: made.size });
    await pool.close();
    const heights = read.flatMap((one) => one.heights ?? []);
    const distinct = [...new Map(heights.map((one) => [JSON.stringify(one), one])).values()];
    const featureCount = shapes.length;
    const result = await writeOutput(
      { options, settings, root, made, properties, facts, featureCount, heights: distinct, folder },
      context,
    );
    watch.lap('write', {});
    return result;
  } finally {
    await pool.close();
    rmSync(unpacked, { recursive: true, force: true });
    if (context.keepsScratch !== true) rmSync(folder, { recursive: true, force: true });
  }
};

interface Reading {
  readonly checkpoint: ObjectCheckpoint;
  readonly settings: Settings;
  readonly context: JobContext;
  /** For readers that take much memory, in bytes. */
  readonly readerBytes: number;
}

/** Reads all models, in any order. @returns what they contain, in the order of the inputs @throws JobFailure */
async function readModels(
  { models }: FoundModels,
  pool: WorkerPool<Task, Answer>,
  { checkpoint, settings, context, readerBytes }: Reading,
): Promise<ReadModelAnswer[]> {
  const known = new Map<number, ReadModelAnswer>();
  const linked = new Map<number, ReadModelAnswer>();
  const keep = (answer: ReadModelAnswer): void =>
    void (answer.isLinked ? linked : known).set(answer.model, answer);
  for (const unit of checkpoint.units) if (unit.kind === 'read') keep(unit);
  const bytesOf = (task: Task): number => (task.kind === 'read' ? memoryToRead(models[task.model]!) : 0);
  const present: FoundIds[] = [];
  const run = (tasks: Iterable<Task>): Promise<void> =>
    runAll(withinMemory(pool, readerBytes, bytesOf), tasks, (answer) => {
      if (answer.kind === 'find') present.push(answer);
      if (answer.kind !== 'read') return;
      checkpoint.append(answer);
      keep(answer);
    });
  const open = [...models.keys()].filter((model) => !known.has(model));
  await run(open.map((model) => ({ kind: 'read', model, links: undefined })));
  const waiting = [...known.values()].filter((one) => one.waiting.length > 0 && !linked.has(one.model));
  await run(findTasks(models, waiting, known));
  await run(linkTasks(models, waiting, present));
  const read = [...models.keys()].flatMap((model) => [known.get(model)!, linked.get(model) ?? []].flat());
  emitWarnings(mergeWarnings(read.flatMap(({ warnings }) => warnings)), context.warn);
  for (const { rejects } of read)
    for (const { code, message, feature } of rejects) context.reject(code, message, feature);
  // a model may be read twice
  const byModel = new Map(read.flatMap(({ model, failure }) => (failure ? [[model, failure] as const] : [])));
  const failed = [...byModel.values()];
  const [first] = failed;
  if (first !== undefined && (settings.strict || failed.length === models.length))
    throw new JobFailure(first.code as FailureCode, first.message);
  for (const { message } of failed) context.warn('unreadableModels', message);
  return read;
}

function createReadProgress({ models }: FoundModels, { progress }: JobContext): (bytes: number) => void {
  const total = models.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  return (bytes) => {
    done = Math.min(total, done + bytes);
    progress('read', done, total);
  };
}
