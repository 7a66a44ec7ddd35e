import { unknownSources } from '../features/compile-model.ts';
import type { ModelOptions } from '../features/model-options.ts';
import { openInputs, type InputPart } from '../features/open-inputs.ts';
import { JobFailure, type JobContext } from '../job-type.ts';
import { expectAnswer } from '../kit/expect-answer.ts';
import { runAll } from '../kit/run-all.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import { isMixed } from '../kit/attribute-statistics.ts';
import { extendBounds, noBounds, type Bounds } from './bounds.ts';
import type { Detail } from './density.ts';
import { noCounts, type IngestCounts } from './ingest.ts';
import type { Layers } from '../features/layers.ts';
import { createParsedParts, type ParsedParts } from './parsed-parts.ts';
import type { WorkerSummary } from './parse-part.ts';
import type { Renumbering } from './records.ts';
import { emitRejects, type PartRejects } from '../kit/reject-log.ts';
import type { Segment } from './segments.ts';
import type { Answer, Task } from './tasks.ts';
import { emitWarnings, type CountedWarning } from '../kit/warning-counter.ts';

/** The result of reading all inputs: the records and their statistics. */
export interface Reading {
  /** In the order of the input. */
  readonly segments: readonly Segment[];
  /** Whether segments are in files because not all fitted into memory. */
  readonly isSpilled: boolean;
  readonly layers: Layers;
  /** Attribute names by the global key numbers. */
  readonly keys: readonly string[];
  /** By worker. */
  readonly renumberings: readonly Renumbering[];
  readonly counts: IngestCounts;
  /** In the order of the input. */
  readonly rejects: readonly PartRejects[];
  readonly bounds: Bounds;
  readonly detail: Detail;
  /** A guess at what the unusable coordinates are, with advice. */
  readonly hint: string | undefined;
  /** See Density and Weights. */
  readonly pointCells: Uint8Array;
  readonly weights: Float64Array;
}

export interface ReadOptions {
  /** Approximate size of the parts of the input. */
  readonly partBytes: number;
  readonly model: ModelOptions;
  /** Called with the total bytes to read, and again if everything is read a second time. */
  readonly onBegin: (bytes: number) => void;
}

/** Before segments in memory are spilled: some may be in files, others in memory. */
export type InitialReading = Omit<Reading, 'isSpilled'>;

/** Reads all inputs, several parts at a time. @throws JobFailure */
export async function readAll(
  pool: WorkerPool<Task, Answer>,
  context: JobContext,
  { partBytes, model, onBegin }: ReadOptions,
): Promise<InitialReading> {
  const { inputs, scratchFolder, signal, warn } = context;
  const open = { scratchFolder, signal };
  const read = async (parts: readonly InputPart[], isLastTry: boolean): Promise<InitialReading> => {
    onBegin(parts.reduce((sum, { part }) => sum + part.weight, 0));
    const parsed = createParsedParts(parts);
    try {
      await parseParts(pool, parts, parsed);
    } catch (error) {
      if (isLastTry) emitRejects(parsed.rejects(), context.reject);
      throw error;
    }
    return combine(pool, context, parsed);
  };
  const parts = await openInputs(inputs, { ...open, partBytes, warn });
  if (parts.length === 0) {
    const files = inputs.map(({ name }) => name).join(', ');
    throw new JobFailure('emptyInput', `${files}: no features.`);
  }
  for (const source of unknownSources(model, parts)) {
    const message = `The inputs have no layer or file "${source}", which modelOptions.layers names as a source.`;
    warn('unknownSource', message, { source });
  }
  const isGuess = parts.some((part) => part.isGuessed);
  try {
    return await read(parts, !isGuess);
  } catch (error) {
    if (!(error instanceof JobFailure) || !isGuess) throw error;
    // A file may have been divided at a wrong position; reading it undivided gives a reliable error.
    await pool.runOnEach({ kind: 'reset' });
    const undivided = { ...open, partBytes: Infinity, warn: () => {} }; // warnings were reported by the first attempt
    return read(await openInputs(inputs, undivided), true);
  }
}

/** @param parsed receives the result of each part, including one that could not be read to its end */
async function parseParts(
  pool: WorkerPool<Task, Answer>,
  parts: readonly InputPart[],
  parsed: ParsedParts,
): Promise<void> {
  const tasks = parts.map((input, number): Task => ({ kind: 'parse', number, input }));
  await runAll(pool, tasks, (answer, number) => {
    const part = expectAnswer(answer, 'parsed').parsed;
    parsed.add(number, part);
    if (part.failure !== undefined) throw new JobFailure(part.failure.code, part.failure.message);
  });
}

async function combine(
  pool: WorkerPool<Task, Answer>,
  { warn }: JobContext,
  { all, layers, ...parsed }: ParsedParts,
): Promise<InitialReading> {
  const before = parsed.featuresBefore();
  const counts = noCounts();
  const bounds = noBounds();
  const detail: Detail = { points: 0, edges: 0, logs: 0 };
  for (const [number, part] of all.entries()) {
    for (const key of Object.keys(counts) as (keyof IngestCounts)[]) counts[key] += part.counts[key];
    for (const key of Object.keys(detail) as (keyof Detail)[]) detail[key] += part.detail[key];
    extendBounds(bounds, part.bounds);
    emitWarnings(renumbered(part.warnings, before[number]!), warn);
  }
  warnOfMixedTypes(layers, warn);
  const summaries = (await pool.runOnEach({ kind: 'summarise' })).map(
    (answer) => expectAnswer(answer, 'summary').summary,
  );
  const segments = all.flatMap((part) => part.segments);
  const hint = all.find((part) => part.hint !== undefined)?.hint;
  const rejects = parsed.rejects();
  return { segments, layers, counts, rejects, bounds, detail, hint, ...merge(summaries, [...layers.keys()]) };
}

function renumbered(warnings: readonly CountedWarning[], before: number): readonly CountedWarning[] {
  if (before === 0) return warnings;
  const shift = (example: Record<string, unknown>) =>
    typeof example['feature'] === 'number' ? { ...example, feature: example['feature'] + before } : example;
  return warnings.map((warning) => ({ ...warning, examples: warning.examples.map(shift) }));
}

/** Merges the summaries of all workers. */
function merge(
  summaries: readonly (WorkerSummary | undefined)[],
  layers: readonly string[],
): Pick<Reading, 'keys' | 'renumberings' | 'pointCells' | 'weights'> {
  const keys: string[] = [];
  const keyNumbers = new Map<string, number>();
  const layerNumbers = new Map(layers.map((name, i) => [name, i]));
  const numberOf = (key: string): number => {
    let number = keyNumbers.get(key);
    if (number === undefined) keyNumbers.set(key, (number = keys.push(key) - 1));
    return number;
  };
  const renumberings = summaries.map((one) => ({
    keys: Int32Array.from(one?.keys ?? [], numberOf),
    layers: Int32Array.from(one?.layers ?? [], (name) => layerNumbers.get(name) ?? 0),
  }));
  const known = summaries.filter((one) => one !== undefined);
  const [first, ...others] = known;
  const pointCells = first!.pointCells;
  const weights = first!.weights;
  for (const other of others) {
    for (let i = 0; i < pointCells.length; i++) pointCells[i]! |= other.pointCells[i]!;
    for (let i = 0; i < weights.length; i++) weights[i]! += other.weights[i]!;
  }
  return { keys, renumberings, pointCells, weights };
}

function warnOfMixedTypes(layers: Layers, warn: JobContext['warn']): void {
  for (const layer of layers.values()) {
    for (const attribute of layer.attributes.values()) {
      if (!isMixed(attribute)) continue;
      const message = `The attribute "${attribute.name}" has values of several types; each keeps its own.`;
      warn('mixedTypes', message, { layer: layer.name, attribute: attribute.name });
    }
  }
}
