import { openInputs, type InputPart } from '../features/open-inputs.ts';
import { readParts, weightOf } from '../features/read-features.ts';
import type { JobContext, JobInput } from '../job-type.ts';
import { startReading, type Collection, type InputReading } from './collect-layers.ts';

/** An input and what has been read of it. */
export interface OpenedInput {
  readonly parts: readonly InputPart[];
  readonly reading: InputReading;
}

/** Recognises the inputs one by one, so that warnings are known to be about one of them. @throws JobFailure */
export async function openEach(inputs: readonly JobInput[], context: JobContext): Promise<OpenedInput[]> {
  const opened: OpenedInput[] = [];
  for (const input of inputs) {
    const reading = startReading();
    const warn = warnAbout(reading, context);
    const { scratchFolder, signal } = context;
    opened.push({
      reading,
      parts: await openInputs([input], { scratchFolder, signal, warn, partBytes: Infinity }),
    });
  }
  return opened;
}

interface ReadOptions {
  readonly context: JobContext;
  readonly maxFeatureBytes: number;
  /** Called before each input. */
  readonly onInput?: (reading: InputReading) => void;
}

/** Visits the features of the inputs in order. @throws JobFailure */
export async function readEach(
  inputs: readonly OpenedInput[],
  collection: Collection,
  { context, maxFeatureBytes, onInput }: ReadOptions,
): Promise<void> {
  const total = inputs.reduce((sum, { parts }) => sum + weightOf(parts), 0);
  let done = 0;
  for (const { parts, reading } of inputs) {
    onInput?.(reading);
    await readParts(parts, (part) => collection.visitorOf(part, reading), {
      maxFeatureBytes,
      signal: context.signal,
      warn: warnAbout(reading, context),
      onProgress: (read) => context.progress('read', done + read, total),
    });
    done += weightOf(parts);
  }
}

const warnAbout =
  (reading: InputReading, { warn }: Pick<JobContext, 'warn'>): JobContext['warn'] =>
  (...warning) => {
    reading.isClean = false;
    warn(...warning);
  };
