import type { VisitFeature } from '@platen/formats/feature/feature';
import type { JobContext } from '../job-type.ts';
import { openInputs, type InputPart } from './open-inputs.ts';
import { readPart } from './read-part.ts';

/** Visits the features of all inputs in order, in longitude and latitude. @throws JobFailure */
export async function readFeatures(
  { inputs, scratchFolder, signal, warn, progress }: JobContext,
  visitorOf: (part: InputPart) => VisitFeature,
  maxFeatureBytes: number,
): Promise<number> {
  const parts = await openInputs(inputs, { scratchFolder, signal, warn, partBytes: Infinity });
  const total = parts.reduce((sum, { part }) => sum + part.weight, 0);
  let features = 0;
  let done = 0;
  for (const input of parts) {
    const { weight } = input.part;
    features += await readPart(input, visitorOf(input), {
      maxFeatureBytes,
      warn,
      onProgress(share) {
        signal.throwIfAborted();
        progress('read', done + share * weight, total);
      },
    });
    done += weight;
  }
  return features;
}
