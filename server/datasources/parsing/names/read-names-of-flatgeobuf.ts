import type { Bytes } from '@platen/formats/bytes/bytes';
import { boxOfFeature } from '@platen/formats/flatgeobuf/feature-box';
import type { RangeReader } from '@platen/formats/flatgeobuf/range-reader';
import { readFeatures } from '@platen/formats/flatgeobuf/read-features';
import { readHeader } from '@platen/formats/flatgeobuf/read-header';
import { collectNames, Enough, maxReadingMs, type NameList } from './name-list.ts';

/** More of a file is not read: a parser has seconds. */
const maxBytes = 512 * 2 ** 20;
const maxFeatureBytes = 64 * 2 ** 20;
/** The map viewer shows no other ones. */
const inDegrees = new Set([undefined, 'EPSG:4326', 'EPSG:4979', 'OGC:CRS84']);

/** The names of features in a FlatGeobuf. @throws SourceError */
export async function readNamesOfFlatGeobuf(bytes: Bytes, attribute: string): Promise<NameList> {
  const reader: RangeReader = {
    async read(into, at, length, position) {
      const part = await bytes.read(position, length);
      into.set(part, at);
      return { bytesRead: part.length };
    },
  };
  const names = collectNames();
  const end = performance.now() + maxReadingMs;
  const header = await readHeader(reader, bytes);
  const { columns, crs, featuresStart: start, featureCount } = header;
  if (!inDegrees.has(crs)) return names.list(false);
  if (columns.length > 0 && !columns.some(({ name }) => name === attribute)) return names.list(false);
  const range = { start, end: bytes.size, first: 1, count: featureCount > 0 ? featureCount : undefined };
  const box = new Float64Array(4);
  try {
    await readFeatures(
      { handle: reader, header, range, fileBytes: bytes.size },
      ({ geometry, properties }, place) => {
        if (names.isFull || (place().byte ?? 0) > maxBytes || performance.now() > end) throw new Enough();
        if (!boxOfFeature(geometry, box)) return;
        const middle = [(box[0]! + box[2]!) / 2, (box[1]! + box[3]!) / 2] as const;
        names.add(properties[attribute], middle, `${middle[0].toFixed(4)} ${middle[1].toFixed(4)}`);
      },
      { maxFeatureBytes, keepsHeights: false },
    );
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    return names.list(true);
  }
  return names.list(false);
}
