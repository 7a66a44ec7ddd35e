import { placedLabels } from '@platen/contract/placed-labels';
import { endOfValue, readAttributeValue, type AttributeValue } from '@platen/geo/mvt/attributes';
import { recordHeaderWords, shapeOf, valuesAt } from '@platen/geo/mvt/feature-record';
import { createInt32Buffer, type Int32Buffer } from '@platen/geo/shape/int32-buffer';
import { coordinatesAt } from '@platen/geo/shape/shape';
import { worldSize } from '@platen/geo/tile/world-grid';
import type { Reading } from '../read-phase.ts';
import { loadSegment, type Segment } from '../segments.ts';

/** A record of a feature with a label. */
export interface LabelRecord {
  readonly store: Int32Buffer;
  readonly record: number;
  /** The number of its layer in `Reading.layers`. */
  readonly layer: number;
  /** Number of attributes before the last one, which is the zoom of the label. */
  readonly attributes: number;
  /** In units of the world grid; within the world, even if the record is a copy beyond its edge. */
  readonly x: number;
  readonly y: number;
  /** Whether the record copies the last one beyond the other edge of the world. */
  readonly isCopy: boolean;
  /** By the index of one of the names that were asked for. */
  valueOf(name: number): AttributeValue | undefined;
}

export type LabelledRecords = Pick<Reading, 'segments' | 'renumberings' | 'keys'>;

export interface LabelVisitor {
  /** Attributes whose values are asked for. */
  readonly names: readonly string[];
  readonly visit: (label: LabelRecord) => void;
  /** Called after the records of a segment, which may have been changed. */
  readonly onSegment?: (segment: Segment, store: Int32Buffer) => void;
}

/** Visits the records of labelled features in the order of the input, whatever threads have written them. */
export function visitLabels(
  { segments, renumberings, keys }: LabelledRecords,
  { names, visit, onSegment }: LabelVisitor,
): void {
  const loaded = createInt32Buffer(0);
  let last: Int32Array | undefined;
  for (const segment of segments) {
    const { keys: own, layers } = renumberings[segment.worker]!;
    const keyOf = (name: string): number => own.indexOf(keys.indexOf(name));
    const zoomKey = keyOf(placedLabels.zoom);
    const wanted = names.map(keyOf);
    const store = loadSegment(segment, loaded);
    const { words } = store;
    for (let record = 0; record < segment.words; record += words[record]!) {
      const attributes = words[record + 4]! - 1;
      if (attributes < 0 || words[record + recordHeaderWords + attributes * 2] !== zoomKey) continue;
      const at = coordinatesAt(words, shapeOf(words, record));
      const x = (words[at]! + worldSize) % worldSize;
      const y = words[at + 1]!;
      const identity = words.slice(record + 1, record + recordHeaderWords + attributes * 2 + 2);
      identity.set([x, y], identity.length - 2);
      visit({
        store,
        record,
        layer: layers[words[record + 1]! >> 3]!,
        attributes,
        x,
        y,
        isCopy: last !== undefined && identity.every((word, i) => word === last![i]),
        valueOf: (name) => readValueOf(store, record, attributes, wanted[name]!),
      });
      last = identity;
    }
    onSegment?.(segment, store);
  }
}

function readValueOf(
  { words, bytes }: Int32Buffer,
  record: number,
  attributes: number,
  key: number,
): AttributeValue | undefined {
  let start = valuesAt(words, record);
  for (let i = 0; i < attributes; i++) {
    if (words[record + recordHeaderWords + i * 2] === key) return readAttributeValue(bytes, start);
    start = endOfValue(bytes, start);
  }
  return undefined;
}
