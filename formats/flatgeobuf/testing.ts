import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { geojson } from 'flatgeobuf';
import { createGeometryBuffer } from '../feature/geometry-buffer.ts';
import type { Source, SourceFile, SourcePart } from '../source/source.ts';
import { readWkb } from '../wkb/read-wkb.ts';
import { readPartsOf, type SeenFeature } from '../testing-parts.ts';
import { encodeWkb, plainWkb, type Geometry } from '../wkb/testing.ts';
import { flatgeobufFormat } from './format.ts';
import { createFlatGeobufWriter, type FlatGeobufSummary } from './write-flatgeobuf.ts';

export interface PlainFeature {
  readonly type: 'Feature';
  readonly geometry: Geometry;
  readonly properties: Record<string, unknown>;
}

export const plainFeature = (geometry: Geometry, properties: Record<string, unknown> = {}): PlainFeature => ({
  type: 'Feature',
  geometry,
  properties,
});

function fileAt(path: string): SourceFile {
  return { path, name: 'a.fgb', size: statSync(path).size, related: {} };
}

export const open = (path: string, partBytes = 1e9): Promise<Source> =>
  flatgeobufFormat.open(fileAt(path), { signal: new AbortController().signal, partBytes });

export const readParts = (parts: readonly SourcePart[], seen?: SeenFeature[], maxFeatureBytes?: number) =>
  readPartsOf(flatgeobufFormat, parts, seen, maxFeatureBytes);

export const readAll = async (path: string, partBytes?: number): Promise<SeenFeature[]> =>
  readParts((await open(path, partBytes)).layers[0]!.parts);

/** Writes the features with the npm package. */
export function serialize(features: readonly PlainFeature[]): Uint8Array {
  return geojson.serialize({ type: 'FeatureCollection', features } as never, 4326);
}

/** Writes the features with our own writer. */
export async function write(
  features: readonly PlainFeature[],
  path: string,
  title?: string,
): Promise<FlatGeobufSummary> {
  const writer = createFlatGeobufWriter({
    scratchFolder: dirname(path),
    name: 'layer',
    ...(title && { title }),
  });
  const geometry = createGeometryBuffer();
  for (const { geometry: plain, properties } of features) {
    assert.equal(readWkb(encodeWkb(plain, plainWkb), 0, geometry), undefined);
    writer.add({ geometry, properties });
  }
  return writer.finish(path);
}
