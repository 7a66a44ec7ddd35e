import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import type { FeaturePlace } from '../feature/feature.ts';
import { SourceError, type Source, type SourceFile, type SourcePart } from '../source/source.ts';
import { plainParts, type Geometry, type PlainPart } from '../wkb/testing.ts';
import { geopackageFormat } from './format.ts';

export function fileAt(path: string): SourceFile {
  return { path, name: 'a.gpkg', size: statSync(path).size, related: {} };
}

export interface Seen {
  readonly id: unknown;
  readonly properties: Record<string, unknown>;
  readonly problem: string | undefined;
  readonly parts: readonly PlainPart[];
  readonly place: FeaturePlace;
}

export const open = (path: string, partBytes = 1e9): Promise<Source> =>
  geopackageFormat.open(fileAt(path), { signal: new AbortController().signal, partBytes });

export async function readParts(
  parts: readonly SourcePart[],
  seen: Seen[] = [],
  maxFeatureBytes = 1e8,
): Promise<Seen[]> {
  for (const part of parts) {
    const before = seen.length;
    const count = await geopackageFormat.read(
      structuredClone(part),
      ({ id, properties, problem, geometry }, place) =>
        seen.push({ id, properties, problem, parts: plainParts(geometry), place: place() }),
      { maxFeatureBytes },
    );
    assert.equal(count, seen.length - before);
  }
  return seen;
}

export const point: Geometry = { type: 'Point', coordinates: [1, 2] };
export const fails = (promise: Promise<unknown>, code: string, message: RegExp): Promise<void> =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof SourceError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
