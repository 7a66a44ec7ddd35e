import type { VisitFeature } from '@platen/formats/feature/feature';
import type { JobContext } from '../job-type.ts';
import { openInputs, type InputPart } from './open-inputs.ts';
import { readPart } from './read-part.ts';

type VisitorOf = (part: InputPart) => VisitFeature;

/** Visits the features of all inputs in order, in longitude and latitude. @throws JobFailure */
export async function readFeatures(
  { inputs, scratchFolder, signal, warn, progress }: JobContext,
  visitorOf: VisitorOf,
  maxFeatureBytes: number,
): Promise<number> {
  const parts = await openInputs(inputs, { scratchFolder, signal, warn, partBytes: Infinity });
  const total = weightOf(parts);
  const onProgress = (done: number) => progress('read', done, total);
  return readParts(parts, visitorOf, { maxFeatureBytes, signal, warn, onProgress });
}

interface ReadOptions extends Pick<JobContext, 'signal' | 'warn'> {
  readonly maxFeatureBytes: number;
  /** Called with the weight that has been read. */
  readonly onProgress: (done: number) => void;
}

/** Visits the features of parts in order, in longitude and latitude. @throws JobFailure */
export async function readParts(
  parts: readonly InputPart[],
  visitorOf: VisitorOf,
  { maxFeatureBytes, signal, warn, onProgress }: ReadOptions,
): Promise<number> {
  let features = 0;
  let done = 0;
  for (const input of parts) {
    const { weight } = input.part;
    features += await readPart(input, visitorOf(input), {
      maxFeatureBytes,
      warn,
      onProgress(share) {
        signal.throwIfAborted();
        onProgress(done + share * weight);
      },
    });
    done += weight;
  }
  return features;
}

/** What reading the parts takes, in the unit of their weights. */
export function weightOf(parts: readonly InputPart[]): number {
  return parts.reduce((sum, { part }) => sum + part.weight, 0);
}
