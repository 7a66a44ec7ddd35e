import { trimShape } from '@platen/geo/clip/trim-shape';
import { createByteWriter } from '@platen/geo/mvt/byte-writer';
import { hashOfValue, writeAttributeValue, type AttributeValue } from '@platen/geo/mvt/attributes';
import { recordHeaderWords } from '@platen/geo/mvt/feature-record';
import { buildShape, type BuildOptions, type BuiltShape, type Geometry } from '@platen/geo/shape/build-shape';
import { shiftShape, type ShapeType } from '@platen/geo/shape/shape';
import { createInt32Buffer, reserveSpace } from '@platen/geo/shape/int32-buffer';
import { worldSize } from '@platen/geo/tile/world-grid';
import type { SegmentWriter } from './segments.ts';

export interface RecordFeature {
  readonly layer: number;
  readonly id: number | undefined;
  /** The zooms that may show the feature. */
  readonly minZoom: number;
  readonly maxZoom: number;
}

export interface RecordWriter {
  /** Starts a feature; all following calls refer to it. */
  begin(feature: RecordFeature): void;
  attribute(key: number, value: AttributeValue): void;
  /**
   * Writes a record for each copy of the world that the geometry reaches; `onRecord` receives the position of the
   * shape.
   */
  write(
    type: ShapeType,
    geometry: Geometry & { readonly polygonStart: number; readonly polygonEnd: number },
    options: BuildOptions,
  ): BuiltShape;
}

export interface RecordWriterOptions {
  readonly segments: SegmentWriter;
  /** World units by which tiles reach beyond the edges of the world. */
  readonly halo: number;
  readonly onRecord: (words: Int32Array, record: number, shape: number) => void;
}

/**
 * Writes features as records. Geometry beyond ±180° is wrapped to the other side, and geometry near it is written a
 * second
 * time beyond the opposite edge, so that buffers are filled across the antimeridian.
 */
export function createRecordWriter({ segments, halo, onRecord }: RecordWriterOptions): RecordWriter {
  const { store } = segments;
  const wrapped = createInt32Buffer(1 << 16);
  const values = createByteWriter(1024);
  let tags = new Int32Array(256);
  let tagCount = 0;
  let layer = 0;
  let id: number | undefined;
  let zooms = 0;

  const writeHead = (type: ShapeType): number => {
    const valueWords = (values.length + 3) >> 2;
    reserveSpace(store, recordHeaderWords + tagCount * 2 + valueWords);
    const record = store.length;
    const { words, bytes } = store;
    words[record + 1] = type | (id === undefined ? 0 : 4) | (layer << 3);
    words[record + 2] = id === undefined ? 0 : (id % 2 ** 32) | 0;
    words[record + 3] = id === undefined ? 0 : Math.floor(id / 2 ** 32);
    words[record + 4] = tagCount;
    words[record + 5] = values.length;
    words[record + 6] = zooms;
    words.set(tags.subarray(0, tagCount * 2), record + recordHeaderWords);
    const at = record + recordHeaderWords + tagCount * 2;
    if (valueWords > 0) words[at + valueWords - 1] = 0;
    bytes.set(values.bytes.subarray(0, values.length), at * 4);
    store.length = at + valueWords;
    return record;
  };
  const endRecord = (record: number, shape: number): void => {
    store.words[record] = store.length - record;
    onRecord(store.words, record, shape);
    segments.flushIfFull();
  };
  /** Writes a shape that reaches the edge of the world once for each copy of the world that shows it. */
  const writeWrapped = (type: ShapeType): void => {
    const length = wrapped.length;
    for (const worlds of [0, 1, -1]) {
      const shift = worlds * worldSize;
      const box = { minX: -halo - shift, maxX: worldSize + halo - shift, minY: -1, maxY: worldSize + 1 };
      const { words } = wrapped;
      if (words[1]! > box.maxX || words[3]! < box.minX) continue;
      const trimmed = trimShape(wrapped, 0, type, box);
      if (trimmed < 0) continue;
      shiftShape(wrapped, trimmed, shift, worldSize);
      const record = writeHead(type);
      const shape = store.length;
      reserveSpace(store, wrapped.words[trimmed]!);
      store.words.set(wrapped.words.subarray(trimmed, wrapped.length), shape);
      store.length += wrapped.words[trimmed]!;
      endRecord(record, shape);
      wrapped.length = length;
    }
  };

  return {
    begin({ layer: ofLayer, id: ofId, minZoom, maxZoom }) {
      layer = ofLayer;
      id = ofId;
      zooms = minZoom | (maxZoom << 8);
      tagCount = 0;
      values.length = 0;
    },
    attribute(key, value) {
      if (tagCount * 2 === tags.length) {
        const larger = new Int32Array(tags.length * 2);
        larger.set(tags);
        tags = larger;
      }
      const start = values.length;
      writeAttributeValue(values, value);
      tags[tagCount * 2] = key;
      tags[tagCount * 2 + 1] = hashOfValue(values.bytes, start, values.length);
      tagCount++;
    },
    write(type, geometry, options) {
      const record = writeHead(type);
      const built = buildShape(store, type, geometry, options);
      const { shape } = built;
      if (shape < 0) {
        store.length = record;
        return built;
      }
      const { words } = store;
      if (words[shape + 1]! > halo && words[shape + 3]! < worldSize - halo) {
        endRecord(record, shape);
        return built;
      }
      wrapped.length = 0;
      reserveSpace(wrapped, words[shape]!);
      wrapped.words.set(words.subarray(shape, store.length), 0);
      wrapped.length = words[shape]!;
      store.length = record;
      writeWrapped(type);
      return built;
    },
  };
}
