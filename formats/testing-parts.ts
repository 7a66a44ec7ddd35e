import assert from 'node:assert/strict';
import type { FeaturePlace } from './feature/feature.ts';
import { SourceError, type SourceFormat, type SourcePart } from './source/source.ts';
import { plainParts, type PlainPart } from './wkb/testing.ts';

/** What a reader says of one feature, as plain values. */
export interface SeenFeature {
  readonly id: string | number | undefined;
  readonly properties: Record<string, unknown>;
  readonly problem: string | undefined;
  readonly parts: readonly PlainPart[];
  readonly place: FeaturePlace;
}

/** Reads parts of a source, each as a thread would get it, and adds their features to `seen`. */
export async function readPartsOf(
  format: SourceFormat,
  parts: readonly SourcePart[],
  seen: SeenFeature[] = [],
  maxFeatureBytes = 1e8,
): Promise<SeenFeature[]> {
  for (const part of parts) {
    const before = seen.length;
    const count = await format.read(
      structuredClone(part),
      ({ id, properties, problem, geometry }, place) =>
        seen.push({
          id,
          properties: { ...properties },
          problem,
          parts: plainParts(geometry),
          place: place(),
        }),
      { maxFeatureBytes },
    );
    assert.equal(count, seen.length - before);
  }
  return seen;
}

export const fails = (promise: Promise<unknown>, code: string, message: RegExp): Promise<void> =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof SourceError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
