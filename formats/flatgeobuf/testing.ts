import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { geojson } from 'flatgeobuf';
import type { FeaturePlace } from '../feature/feature.ts';
import { createGeometryBuffer } from '../feature/geometry-buffer.ts';
import type { Source, SourceFile, SourcePart } from '../source/source.ts';
import { readWkb } from '../wkb/read-wkb.ts';
import { encodeWkb, plainParts, plainWkb, type Geometry, type PlainPart } from '../wkb/testing.ts';
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

export interface Seen {
  readonly properties: Record<string, unknown>;
  readonly problem: string | undefined;
  readonly parts: readonly PlainPart[];
  readonly place: FeaturePlace;
}

function fileAt(path: string): SourceFile {
  return { path, name: 'a.fgb', size: statSync(path).size, related: {} };
}

export const open = (path: string, partBytes = 1e9): Promise<Source> =>
  flatgeobufFormat.open(fileAt(path), { signal: new AbortController().signal, partBytes });

export async function readParts(
  parts: readonly SourcePart[],
  seen: Seen[] = [],
  maxFeatureBytes = 1e8,
): Promise<Seen[]> {
  for (const part of parts) {
    const before = seen.length;
    const count = await flatgeobufFormat.read(
      structuredClone(part),
      ({ properties, problem, geometry }, place) =>
        seen.push({ properties, problem, parts: plainParts(geometry), place: place() }),
      { maxFeatureBytes },
    );
    assert.equal(count, seen.length - before);
  }
  return seen;
}

export const readAll = async (path: string, partBytes?: number): Promise<Seen[]> =>
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
