import assert from 'node:assert/strict';
import type { SeenFeature } from '../testing-parts.ts';
import { plainParts } from '../wkb/testing.ts';
import { readGeoJson, type ReadOptions } from './read-geojson.ts';

async function* chunked(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Reads a text that comes in chunks of this size. */
export async function read(
  text: string | Uint8Array,
  chunkBytes = 7,
  options: ReadOptions = {},
): Promise<SeenFeature[]> {
  const seen: SeenFeature[] = [];
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const count = await readGeoJson(
    chunked(bytes, chunkBytes),
    ({ id, properties, problem, geometry }, place) => {
      seen.push({ id, properties, problem, parts: plainParts(geometry), place: place() });
    },
    options,
  );
  assert.equal(count, seen.length);
  return seen;
}

export const point = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}';
