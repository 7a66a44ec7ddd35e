import { closeSync, openSync, readSync } from 'node:fs';
import type { Source, SourceFormat, SourcePart } from '../source/source.ts';
import { crsName } from './crs-name.ts';
import { divideGeoJson } from './divide-geojson.ts';
import { readGeoJson, type GeoJsonRange } from './read-geojson.ts';

/** The range of a part; undefined for the whole file. */
type PartRange = Omit<GeoJsonRange, 'linesBefore'> | undefined;

const chunkBytes = 1 << 20;

/** GeoJSON (RFC 7946 and the older form of 2008), newline-delimited and RFC 8142 sequences. */
export const geoJsonFormat: SourceFormat = {
  name: 'geojson',
  title: 'GeoJSON',
  async open(file, { partBytes }): Promise<Source> {
    const { crs, starts, inCollection } = divideGeoJson(file, partBytes);
    const part = (range: PartRange, weight: number): SourcePart => ({
      format: 'geojson',
      file,
      weight,
      range: range ?? null,
    });
    const parts =
      starts.length === 0
        ? [part(undefined, file.size)]
        : [0, ...starts].map((start, i) => {
            const end = starts[i];
            const range = { start, end: end ?? Infinity, inCollection: i > 0 && inCollection };
            return part(range, (end ?? file.size) - start);
          });
    const unknown = { name: undefined, featureCount: undefined, fields: undefined, bbox: undefined };
    return { format: 'geojson', file, layers: [{ ...unknown, crs, parts }], warnings: [] };
  },
  read({ file, range }, visit, { maxFeatureBytes, onProgress, onCrs, keepsHeights }) {
    const partRange = (range ?? undefined) as PartRange;
    const start = partRange?.start ?? 0;
    const share = Math.min(partRange?.end ?? Infinity, file.size) - start;
    const chunks = chunksOf(file.path, start, (bytes) =>
      onProgress?.(Math.min(1, bytes / Math.max(1, share))),
    );
    return readGeoJson(chunks, visit, {
      maxFeatureBytes,
      keepsHeights,
      ...(file.encoding !== undefined && { encoding: file.encoding }),
      ...(partRange !== undefined && {
        range: { ...partRange, linesBefore: () => countLines(file.path, start) },
      }),
      onCrs(member, isLate) {
        const name = crsName(member);
        if (name !== undefined) onCrs?.(name, isLate);
      },
    });
  },
};

async function* chunksOf(
  path: string,
  start: number,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafeSlow(chunkBytes);
    for (let at = start; ;) {
      const count = readSync(file, chunk, 0, chunk.length, at);
      if (count === 0) return;
      at += count;
      onRead(at - start);
      yield chunk.subarray(0, count);
    }
  } finally {
    closeSync(file);
  }
}

/** The line count of the latest file: its parts ask often, one after the other. */
let counted = { path: '', to: 0, lines: 0 };

function countLines(path: string, end: number): number {
  if (counted.path !== path || counted.to > end) counted = { path, to: 0, lines: 0 };
  if (counted.to === end) return counted.lines;
  let { lines } = counted;
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafeSlow(chunkBytes);
    for (let at = counted.to; at < end;) {
      const count = readSync(file, chunk, 0, Math.min(chunk.length, end - at), at);
      if (count === 0) break;
      at += count;
      const part = chunk.subarray(0, count);
      for (let i = part.indexOf(10); i >= 0; i = part.indexOf(10, i + 1)) lines++;
    }
    counted = { path, to: end, lines };
    return lines;
  } finally {
    closeSync(file);
  }
}
