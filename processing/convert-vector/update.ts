import { createHash } from 'node:crypto';
import { copyFile, constants, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileModel } from '../features/compile-model.ts';
import type { ModelOptions } from '../features/model-options.ts';
import { JobFailure, type JobContext, type JobInput, type MadeDatasource } from '../job-type.ts';
import { readManifest } from '../kit/manifest.ts';
import { thumbnailPathOf } from '../tile-style/thumbnail-path.ts';
import { collectLayers, type InputReading } from './collect-layers.ts';
import { openEach, readEach } from './read-inputs.ts';

/** What each input has given to each layer: an update makes only the layers again whose inputs have changed. */
export interface Manifest {
  readonly inputs: readonly ManifestInput[];
  /** In the order of a full run. */
  readonly layers: readonly ManifestLayer[];
}

interface ManifestInput extends Omit<InputReading, 'layers'> {
  readonly identity: string;
  readonly layers: readonly string[];
}

/** A layer that has become a datasource. */
export interface ManifestLayer {
  readonly name: string;
  /** The key of its datasource; absent for the primary one. */
  readonly resultKey?: string;
  /** Whether writing it caused no warning. */
  readonly isClean: boolean;
  readonly made: MadeDatasource;
  /** PNG, in Base64. */
  readonly thumbnail: string;
}

/** Which layers an update makes again. All others are copied; their order is that of the former run. */
export interface UpdatePlan {
  readonly former: Manifest;
  readonly remade: ReadonlySet<string>;
  /** What the former run has read of each input that has not changed; undefined: all of it is to be read. */
  readonly unchanged: readonly (InputReading | undefined)[];
}

/** @returns undefined if the content of an input is unknown */
export function manifestInputs(
  inputs: readonly JobInput[],
  readings: readonly InputReading[],
): ManifestInput[] | undefined {
  if (inputs.some(({ content }) => content === undefined)) return undefined;
  return inputs.map((input, index) => {
    const { layers, ...reading } = readings[index]!;
    return { identity: identityOf(input), ...reading, layers: [...layers] };
  });
}

/** Everything about an input that its features depend on. */
function identityOf({ path: _path, related: _related, contents: _contents, ...input }: JobInput): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('base64');
}

interface PlanOptions {
  readonly context: JobContext;
  readonly modelOptions: ModelOptions;
  readonly maxFeatureBytes: number;
}

/**
 * Finds out which layers have to be made again, by reading the changed inputs once.
 * @returns undefined if all of them have to be
 */
export async function planUpdate(
  inputs: readonly JobInput[],
  { context, ...options }: PlanOptions,
): Promise<UpdatePlan | undefined> {
  const former = await readManifest<Manifest>(context);
  if (!former) return undefined;
  const unchanged = matchInputs(inputs, former);
  if (!unchanged) return undefined;
  const changed = inputs.filter((_, index) => unchanged[index] === undefined);
  const surveyed = await surveyLayers(changed, { context, ...options });
  if (!surveyed) return undefined;
  const layersOf = unchanged.map((reading) => Array.from(reading?.layers ?? surveyed.shift()!));
  const names = [...new Set(layersOf.flat())];
  // names of files, the primary layer and shares of limits depend on all layers
  if (JSON.stringify(names) !== JSON.stringify(former.layers.map(({ name }) => name))) return undefined;
  const remade = new Set([
    ...layersOf.flatMap((layers, index) => (unchanged[index] ? [] : layers)),
    ...former.inputs.flatMap(({ identity, layers }) => (isKept(identity) ? [] : layers)),
    ...former.layers.flatMap(({ name, isClean }) => (isClean ? [] : [name])),
  ]);
  return remade.size < names.length ? { former, remade, unchanged } : undefined;

  function isKept(identity: string): boolean {
    return inputs.some((input, index) => unchanged![index] && identityOf(input) === identity);
  }
}

/**
 * The former readings of the inputs that have not changed. Those that caused warnings count as changed, so that an update
 * warns like a full run.
 * @returns undefined if their order is another one, on which the order of features depends
 */
function matchInputs(
  inputs: readonly JobInput[],
  former: Manifest,
): (InputReading | undefined)[] | undefined {
  const positions = new Map(former.inputs.map(({ identity }, position) => [identity, position]));
  let last = -1;
  const readings: (InputReading | undefined)[] = [];
  for (const input of inputs) {
    const position = positions.get(identityOf(input));
    const known = position === undefined ? undefined : former.inputs[position]!;
    if (!known?.isClean) {
      readings.push(undefined);
      continue;
    }
    if (position! <= last) return undefined;
    last = position!;
    const { identity: _identity, layers, ...reading } = known;
    readings.push({ ...reading, layers: new Set(layers) });
  }
  return readings;
}

/** The layers of each input. Undefined if one cannot be read: the full run then fails with all that it has to say. */
async function surveyLayers(
  inputs: readonly JobInput[],
  { context, modelOptions, maxFeatureBytes }: PlanOptions,
): Promise<Set<string>[] | undefined> {
  const scratchFolder = join(context.scratchFolder, 'survey');
  await mkdir(scratchFolder);
  const silent = { ...context, scratchFolder, warn: () => {}, progress: () => {} };
  const survey = collectLayers({
    model: await compileModel(modelOptions, silent), // a model of its own, as it collects attributes in their order
    add: () => true,
    reject: () => {},
    datasourceLayer: undefined,
    allLayers: false,
  });
  try {
    const opened = await openEach(inputs, silent);
    await readEach(opened, survey, { context: silent, maxFeatureBytes });
    return opened.map(({ reading }) => reading.layers);
  } catch (error) {
    if (error instanceof JobFailure) return undefined;
    throw error;
  } finally {
    await rm(scratchFolder, { recursive: true });
  }
}

/** Copies the file and the thumbnail of a layer that the former run has made. */
export async function copyLayer(
  { made, resultKey, thumbnail }: ManifestLayer,
  { former, outputFolder }: JobContext,
): Promise<void> {
  const result = former!.results.find((one) => one.resultKey === resultKey)!;
  const path = join(outputFolder, made.path);
  await copyFile(result.path, path, constants.COPYFILE_FICLONE);
  await writeFile(thumbnailPathOf(path, 'file'), Buffer.from(thumbnail, 'base64'));
}
