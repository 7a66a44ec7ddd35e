import type { Feature } from '../feature/feature.ts';
import type { Column } from './columns.ts';
import { writeGeometry } from './encode-geometry.ts';
import { createFlatWriter, endBuffer, reserve, startBuffer, startVector, writeTable } from './flat-writer.ts';
import { createColumnRecorder, writeRecord } from './property-record.ts';

/** Encodes features in two steps, as the types of the columns are known only after the last. */
export interface FeatureEncoder {
  /** Encodes everything but the properties, then their record. Valid until the next call. */
  begin(feature: Pick<Feature, 'geometry' | 'properties'>): Buffer;
  /** Completes what `begin` encoded to the form in the file. Valid until the next call. */
  complete(bytes: Buffer, columns: readonly Column[]): Buffer;
  /** The columns of all features so far. */
  columns(): Column[];
  readonly tooManyColumns: boolean;
}

export function createFeatureEncoder(): FeatureEncoder {
  const writer = createFlatWriter();
  const recorder = createColumnRecorder();
  /** Position of the offset to the properties: the same in all features, because their table comes first. */
  let propertiesLink = 0;
  return {
    begin({ geometry, properties }) {
      startBuffer(writer);
      const fields = writeTable(writer, 4, [4, 4]);
      propertiesLink = fields[1]!;
      writeGeometry(writer, fields[0]!, geometry);
      // the start of the record stands where the length of the buffer will be
      writer.view.setUint32(0, writer.at, true);
      recorder.record(writer, properties);
      return writer.bytes.subarray(0, writer.at);
    },
    complete(bytes, columns) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const from = view.getUint32(0, true);
      writer.at = 0;
      reserve(writer, from);
      bytes.copy(writer.bytes, 0, 0, from);
      writer.at = from;
      const vector = startVector(writer, propertiesLink, { count: 0, size: 1 });
      writeRecord(writer, { bytes, view, from, to: bytes.length }, columns);
      writer.view.setUint32(vector, writer.at - vector - 4, true);
      return endBuffer(writer);
    },
    columns: () => recorder.columns(),
    get tooManyColumns() {
      return recorder.tooMany;
    },
  };
}
