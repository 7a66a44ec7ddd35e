import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { checkReadResults } from '../features/check-read-results.ts';
import { compileModel, unknownSources } from '../features/compile-model.ts';
import { joinCompanions } from '../features/open-inputs.ts';
import { JobFailure, type JobContext, type JobInput, type RunJob } from '../job-type.ts';
import { maxFeatureBytesOf, memoryBudget } from '../kit/memory-plan.ts';
import { collectLayers, type Collection, type InputReading } from './collect-layers.ts';
import { finishLayers, resultOf } from './finish-layers.ts';
import { createLayerFiles, type LayerFiles, type OutputFormat } from '../features/layer-files.ts';
import { openEach, readEach } from './read-inputs.ts';
import type { convertVector } from './spec.ts';
import { planUpdate, type UpdatePlan } from './update.ts';

type Options = Static<typeof convertVector.options>;

/** For sorting features, when all are read. More would hardly make it faster. */
const sortingShare = 1 / 8;
const maxSortingBytes = 64 * 2 ** 20;
const maxMemoryMegabytes = 2048;

/** Reads the features of all inputs and writes each layer into a file. */
export const runConvertVector: RunJob<typeof convertVector> = async (options, given) => {
  const context = { ...given, scratchFolder: join(given.scratchFolder, 'convert') };
  const inputs = joinCompanions(context.inputs);
  if (inputs.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  const { modelOptions = {}, output: { format = 'flatgeobuf', decimals = 7, allLayers = false } = {} } =
    options;
  const { outputFolder, scratchFolder } = context;
  await mkdir(scratchFolder);
  const budget = memoryBudget(maxMemoryMegabytes, context.limits);
  const memoryBytes = Math.min(maxSortingBytes, Math.floor(budget * sortingShare));
  const maxFeatureBytes = maxFeatureBytesOf(budget);
  let files: LayerFiles | undefined;
  try {
    const plan = allLayers ? await planUpdate(inputs, { context, modelOptions, maxFeatureBytes }) : undefined;
    const paths = plan && new Map(plan.former.layers.map(({ name, made }) => [name, made.path]));
    files = createLayerFiles({
      format: format as OutputFormat,
      decimals,
      outputFolder,
      scratchFolder,
      memoryBytes,
      ...(paths && { paths }),
    });
    const { collection, readings } = await collect(inputs, {
      options,
      context,
      files,
      maxFeatureBytes,
      plan,
    });
    const layers = await finishLayers(collection, { context, files, options, plan });
    return await resultOf(layers, { context, inputs, readings, allLayers });
  } finally {
    files?.discard();
    await rm(scratchFolder, { recursive: true, force: true });
  }
};

interface CollectOptions {
  readonly options: Options;
  readonly context: JobContext;
  readonly files: LayerFiles;
  readonly maxFeatureBytes: number;
  readonly plan: UpdatePlan | undefined;
}

interface Collected {
  readonly collection: Collection;
  /** One for each input. */
  readonly readings: readonly InputReading[];
}

async function collect(
  inputs: readonly JobInput[],
  { options, context, files, maxFeatureBytes, plan }: CollectOptions,
): Promise<Collected> {
  const { modelOptions = {}, output } = options;
  let current: InputReading | undefined;
  const warn: JobContext['warn'] = (...warning) => {
    if (current) current.isClean = false;
    context.warn(...warning);
  };
  const collection = collectLayers({
    model: await compileModel(modelOptions, { warn }),
    add: (layer, feature) => files.open(layer).add(feature),
    reject: context.reject,
    datasourceLayer: output?.layer,
    allLayers: output?.allLayers ?? false,
    onlyLayers: plan?.remade,
  });
  const former = inputs.map((_, index) => plan?.unchanged[index]);
  const opened = await openEach(
    inputs.filter((_, index) => isNeeded(former[index], plan)),
    context,
  );
  const onInput = (reading: InputReading) => (current = reading);
  await readEach(opened, collection, { context, maxFeatureBytes, onInput });
  const read = opened.map(({ reading }) => reading);
  const readings = former.map((known) => {
    const own = isNeeded(known, plan) ? read.shift()! : undefined;
    return known ?? own!;
  });
  const sources = readings.flatMap((reading) => reading.sources);
  for (const source of unknownSources(modelOptions, sources)) {
    const message = `The inputs have no layer or file "${source}", which modelOptions.layers names as a source.`;
    context.warn('unknownSource', message, { source });
  }
  const results = { ...sumOf(readings), rejects: collection.rejects.list() };
  checkReadResults(results, context, options.processing?.strict ?? false);
  return { collection, readings };
}

/** An unchanged input is read only if one of its layers is made again. */
function isNeeded(former: InputReading | undefined, plan: UpdatePlan | undefined): boolean {
  return former === undefined || [...former.layers].some((name) => plan!.remade.has(name));
}

function sumOf(readings: readonly InputReading[]) {
  const sum = { read: 0, used: 0, notWanted: 0 };
  for (const { read, used, notWanted } of readings) {
    sum.read += read;
    sum.used += used;
    sum.notWanted += notWanted;
  }
  return sum;
}
