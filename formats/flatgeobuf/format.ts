import { open, type FileHandle } from 'node:fs/promises';
import type { SourceFile, SourceFormat, SourcePart } from '../source/source.ts';
import { fieldTypeOf } from './columns.ts';
import { cutByIndex, cutByWalking, type FeatureRange } from './cut-parts.ts';
import { readFeatures } from './read-features.ts';
import { readHeader } from './read-header.ts';

/** FlatGeobuf 3, with or without its index (flatgeobuf.org). */
export const flatgeobufFormat: SourceFormat = {
  name: 'flatgeobuf',
  title: 'FlatGeobuf',
  open: (file, { partBytes, signal }) =>
    withFile(file, async (handle) => {
      const header = await readHeader(handle, file);
      const options = { fileBytes: file.size, partBytes, signal };
      const indexed = header.nodeSize === 0 ? undefined : await cutByIndex(handle, header, options);
      const ranges = indexed ?? (await cutByWalking(handle, header, options));
      const message = 'its index contradicts the file and is not used: export the file again';
      return {
        format: 'flatgeobuf',
        file,
        warnings: header.nodeSize > 0 && indexed === undefined ? [{ code: 'brokenIndex', message }] : [],
        layers: [
          {
            name: header.name,
            crs: header.crs,
            featureCount: countOf(ranges),
            fields: header.columns.flatMap((column) => {
              const type = fieldTypeOf(column);
              return type === undefined ? [] : [{ name: column.name, type }];
            }),
            bbox: header.bbox,
            parts: ranges.map((range): SourcePart => ({
              format: 'flatgeobuf',
              file,
              weight: range.end - range.start,
              range,
            })),
          },
        ],
      };
    }),
  read: ({ file, range }, visit, options) =>
    withFile(file, async (handle) => {
      const header = await readHeader(handle, file);
      const input = { handle, header, range: range as FeatureRange, fileBytes: file.size };
      return readFeatures(input, visit, options);
    }),
};

function countOf(ranges: readonly FeatureRange[]): number | undefined {
  return ranges.reduce<number | undefined>(
    (sum, { count }) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}

async function withFile<T>(file: SourceFile, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file.path, 'r');
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}
