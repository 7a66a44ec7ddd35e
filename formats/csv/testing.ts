import type { PlainPart } from '../wkb/testing.ts';
import { readFileOf, type ReadFileOptions } from '../xml/testing.ts';
import { csvFormat } from './format.ts';

/** Opens and reads a table, as a job would. */
export async function read(content: string | Uint8Array, options: ReadFileOptions = {}) {
  const limits = { partBytes: 1e9, maxFeatureBytes: 1e7 };
  const { layers, warnings } = await readFileOf(csvFormat, content, { ...limits, ...options });
  return { layers, warnings, seen: layers[0]!.features };
}

export const point = (x: number, y: number): PlainPart[] => [['Point', [[[[x, y]]]]]];
