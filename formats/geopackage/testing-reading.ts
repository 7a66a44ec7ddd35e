import { statSync } from 'node:fs';
import type { Source, SourceFile, SourcePart } from '../source/source.ts';
import { readPartsOf, type SeenFeature } from '../testing-parts.ts';
import type { Geometry } from '../wkb/testing.ts';
import { geopackageFormat } from './format.ts';

export function fileAt(path: string): SourceFile {
  return { path, name: 'a.gpkg', size: statSync(path).size, related: {} };
}

export const open = (path: string, partBytes = 1e9): Promise<Source> =>
  geopackageFormat.open(fileAt(path), { signal: new AbortController().signal, partBytes });

export const readParts = (parts: readonly SourcePart[], seen?: SeenFeature[], maxFeatureBytes?: number) =>
  readPartsOf(geopackageFormat, parts, seen, maxFeatureBytes);

export const point: Geometry = { type: 'Point', coordinates: [1, 2] };
