import type { ShapeType } from '../shape/shape.ts';
import { reserveSpace, type Int32Buffer } from '../shape/int32-buffer.ts';
import { hashOfValue, writeAttributeValue, type AttributeValue } from './attributes.ts';
import { createByteWriter } from './byte-writer.ts';

export interface RecordHead {
  readonly type: ShapeType;
  /** The number of the layer. */
  readonly layer: number;
  readonly id?: number;
  readonly attributes: readonly (readonly [key: number, value: AttributeValue])[];
}

/** Appends all of a record but its shape (see feature-record.ts); every zoom may show it. @returns where it starts */
export function appendRecordHead(store: Int32Buffer, { type, layer, id, attributes }: RecordHead): number {
  const values = createByteWriter(64);
  const tags = attributes.flatMap(([key, value]) => {
    const start = values.length;
    writeAttributeValue(values, value);
    return [key, hashOfValue(values.bytes, start, values.length)];
  });
  const idWords = id === undefined ? [0, 0] : [(id % 2 ** 32) | 0, Math.floor(id / 2 ** 32)];
  const flags = type | (id === undefined ? 0 : 4) | (layer << 3);
  const head = [0, flags, ...idWords, attributes.length, values.length, 31 << 8, ...tags];
  const valueWords = (values.length + 3) >> 2;
  reserveSpace(store, head.length + valueWords);
  const record = store.length;
  store.words.set(head, record);
  store.words.fill(0, record + head.length, record + head.length + valueWords);
  store.bytes.set(values.bytes.subarray(0, values.length), (record + head.length) * 4);
  store.length = record + head.length + valueWords;
  store.words[record] = store.length - record;
  return record;
}
