import { pointType, shapeWords } from '../shape/shape.ts';
import { createInt32Buffer, reserveSpace, type Int32Buffer } from '../shape/int32-buffer.ts';
import { hashOfValue, writeAttributeValue, type AttributeValue } from './attributes.ts';
import { createByteWriter } from './byte-writer.ts';
import type { ClusterCells } from './cluster-cells.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { recordHeaderWords } from './feature-record.ts';

/** Encodes clusters as feature records, one at a time. */
export interface ClusterRecord {
  readonly store: Int32Buffer;
  /** Offset of the last record's shape. */
  readonly shape: number;
  /** All attribute names that records refer to. */
  readonly keys: readonly string[];
  /** @returns its offset */
  write(layer: number, cells: ClusterCells, cell: number): number;
}

const everyZoom = 31 << 8;

export function createClusterRecord(
  attributeNames: readonly string[],
  layers: readonly { readonly cluster?: ClusterOptions | undefined }[],
): ClusterRecord {
  const store = createInt32Buffer(256);
  const values = createByteWriter(256);
  const keys = [...attributeNames];
  const keyOf = (name: string): number => {
    const known = keys.indexOf(name);
    return known >= 0 ? known : keys.push(name) - 1;
  };
  const clusterKey = layers.some(({ cluster }) => cluster !== undefined) ? keyOf('cluster') : -1;
  const countKey = clusterKey < 0 ? -1 : keyOf('point_count');
  const aggregateKeys = layers.map(({ cluster }) => Object.keys(cluster?.aggregates ?? {}).map(keyOf));
  const tags: number[] = [];
  let shape = 0;

  const addAttribute = (key: number, value: AttributeValue): void => {
    const start = values.length;
    writeAttributeValue(values, value);
    tags.push(key, hashOfValue(values.bytes, start, values.length));
  };
  return {
    store,
    keys,
    get shape() {
      return shape;
    },
    write(layer, cells, cell) {
      tags.length = 0;
      values.length = 0;
      addAttribute(clusterKey, true);
      addAttribute(countKey, cells.points(cell));
      for (const [n, key] of aggregateKeys[layer]!.entries()) {
        const value = cells.aggregate(cell, n);
        if (value !== undefined && Number.isFinite(value)) addAttribute(key, value);
      }
      const valueWords = (values.length + 3) >> 2;
      const point = shapeWords(1, 1);
      shape = recordHeaderWords + tags.length + valueWords;
      store.length = 0;
      reserveSpace(store, shape + point);
      const { words, bytes } = store;
      words.set([shape + point, pointType | (layer << 3), 0, 0, tags.length / 2, values.length, everyZoom]);
      words.set(tags, recordHeaderWords);
      bytes.set(values.bytes.subarray(0, values.length), (recordHeaderWords + tags.length) * 4);
      const x = cells.meanX(cell);
      const y = cells.meanY(cell);
      words.set([point, x, y, x, y, 1, 1, 2, 0, x, y, 0], shape);
      store.length = shape + point;
      return 0;
    },
  };
}
