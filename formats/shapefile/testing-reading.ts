import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Source } from '../source/source.ts';
import { readPartsOf, type SeenFeature } from '../testing-parts.ts';
import { shapefileFormat } from './format.ts';
import { encodeShp, writeParts, type Shape } from './testing.ts';

export interface ReadOptions {
  readonly partBytes?: number;
  readonly encoding?: string;
  readonly maxFeatureBytes?: number;
}

/** Opens and reads a shapefile of these parts, as a job would; the keys are the endings of the files. */
export async function read(
  parts: Readonly<Record<string, Uint8Array | string>>,
  { partBytes = 1e6, encoding, maxFeatureBytes = 1e7 }: ReadOptions = {},
): Promise<Source & { seen: SeenFeature[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-shapefile-'));
  try {
    const { shp, ...related } = await writeParts(join(folder, 'given'), parts);
    const { size } = await stat(shp!);
    const file = {
      path: shp!,
      name: 'given.shp',
      size,
      related,
      ...(encoding !== undefined && { encoding }),
    };
    const { signal } = new AbortController();
    const source = await shapefileFormat.open(file, { signal, partBytes });
    const seen = await readPartsOf(shapefileFormat, source.layers[0]!.parts, [], maxFeatureBytes);
    return { ...source, seen };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const geometries = async (shapes: readonly Shape[]): Promise<SeenFeature['parts'][]> =>
  (await read({ shp: encodeShp(shapes).shp })).seen.map(({ parts, problem }) => {
    assert.equal(problem, undefined);
    return parts;
  });

/** A closed square, clockwise as outer rings are. */
export const square = (x: number, y: number, side: number): number[][] => [
  [x, y],
  [x, y + side],
  [x + side, y + side],
  [x + side, y],
  [x, y],
];
export const hole = (x: number, y: number, side: number): number[][] => square(x, y, side).toReversed();

export const point = (x: number): Shape => ({ type: 1, points: [[x, 0]] });
export const points = (length: number): Shape[] => Array.from({ length }, (_, i) => point(i));
