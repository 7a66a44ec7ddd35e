import { UnusableData, type ReadAt } from './refused.ts';

const magic = [0x66, 0x67, 0x62, 0x03, 0x66, 0x67, 0x62];
const maxHeaderBytes = 10 * 1024 * 1024;

/** Fields of the FlatBuffers table `Header` (flatgeobuf, header.fbs), by their position in it. */
const field = { hasZ: 3, indexNodeSize: 9, crs: 10 } as const;
const crsCodeField = 1;
const defaultNodeSize = 16;

const repairAdvice =
  'Convert it with a job of the type platenConvertVector, which writes a spatial index, two dimensions and EPSG:4326, or by yourself: ogr2ogr -f FlatGeobuf -dim XY -t_srs EPSG:4326 out.fgb in.fgb';

/**
 * Checks the header only. The viewer shows only indexed, two-dimensional files in EPSG:4326; of projected data it
 * shows nothing, without an error.
 * @throws UnusableData
 */
export async function checkFlatGeobuf(read: ReadAt): Promise<void> {
  const start = await read(0, 12);
  if (start.length < 12 || magic.some((byte, i) => start[i] !== byte))
    throw new UnusableData('It is not a FlatGeobuf file.');
  const length = viewOf(start).getUint32(8, true);
  if (length < 8 || length > maxHeaderBytes)
    throw new UnusableData('The header of the FlatGeobuf file is damaged.');
  const header = await read(12, length);
  if (header.length !== length) throw new UnusableData('The FlatGeobuf file is cut off in its header.');
  try {
    checkHeader(viewOf(header));
  } catch (error) {
    if (error instanceof RangeError) throw new UnusableData('The header of the FlatGeobuf file is damaged.');
    throw error;
  }
}

function checkHeader(view: DataView): void {
  const table = view.getUint32(0, true);
  const nodeSizeAt = fieldAt(view, table, field.indexNodeSize);
  const nodeSize = nodeSizeAt === undefined ? defaultNodeSize : view.getUint16(nodeSizeAt, true);
  if (nodeSize === 0) throw new UnusableData(`The FlatGeobuf file has no spatial index. ${repairAdvice}`);
  const hasZAt = fieldAt(view, table, field.hasZ);
  if (hasZAt !== undefined && view.getUint8(hasZAt) !== 0)
    throw new UnusableData(`The FlatGeobuf file has heights. ${repairAdvice}`);
  const crsAt = fieldAt(view, table, field.crs);
  if (crsAt === undefined) return; // unknown: the viewer takes it as EPSG:4326
  const crs = crsAt + view.getUint32(crsAt, true);
  const codeAt = fieldAt(view, crs, crsCodeField);
  const code = codeAt === undefined ? 0 : view.getInt32(codeAt, true);
  if (code !== 0 && code !== 4326)
    throw new UnusableData(`The FlatGeobuf file is in EPSG:${code}. ${repairAdvice}`);
}

/** Position of a field of a FlatBuffers table; undefined if it has its default value. */
function fieldAt(view: DataView, table: number, index: number): number | undefined {
  const vtable = table - view.getInt32(table, true);
  const slot = 4 + index * 2;
  if (slot >= view.getUint16(vtable, true)) return undefined;
  const offset = view.getUint16(vtable + slot, true);
  return offset === 0 ? undefined : table + offset;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
