import { viewOf } from '../bytes/read-exactly.ts';
import type { PointBuffer } from '../points/point-buffer.ts';
import { readExtra, type ExtraField } from './extra-bytes.ts';
import type { LayeredField } from './decode/decode-layered.ts';
import { layoutOf } from './point-format.ts';
import type { LasHeader } from './read-header.ts';

/** Bits of the byte that marks withheld points, by the age of the format. */
const flagsOffset = 15;
const withheldOld = 0x80;
const withheldNew = 0x04;
/** Degrees of a step of the scan angle in the formats 6 to 10. */
const angleStep = 0.006;

export interface RecordReading {
  readonly keepsWithheld?: boolean;
  readonly extras?: readonly ExtraField[];
  /** Undefined: all. Of the others some are left out. */
  readonly fields?: ReadonlySet<LayeredField> | undefined;
}

/** Point records as LAS has them (LAS 1.4 R15, 2.6), by default without those that are withheld. */
export function decodeRecords(
  records: Uint8Array,
  header: LasHeader,
  { keepsWithheld = false, extras = [], fields }: RecordReading = {},
): PointBuffer {
  const { recordLength, pointFormat, scale, offset } = header;
  const { gpsTime, colour, infrared } = layoutOf(pointFormat);
  const isNew = pointFormat >= 6;
  const view = viewOf(records);
  const withheld = keepsWithheld ? 0 : isNew ? withheldNew : withheldOld;
  const starts = keptRecords(records, recordLength, withheld);
  const count = starts.length;
  const places = new Float64Array(count * 3);
  const intensities = new Uint16Array(count);
  const classes = new Uint8Array(count);
  const returns = new Uint8Array(count);
  const userData = new Uint8Array(count);
  const [sx, sy, sz] = scale;
  const [ox, oy, oz] = offset;
  for (let i = 0; i < count; i++) {
    const at = starts[i]!;
    places[i * 3] = view.getInt32(at, true) * sx + ox;
    places[i * 3 + 1] = view.getInt32(at + 4, true) * sy + oy;
    places[i * 3 + 2] = view.getInt32(at + 8, true) * sz + oz;
    intensities[i] = view.getUint16(at + 12, true);
    const flags = records[at + 14]!;
    if (isNew) {
      returns[i] = flags;
      classes[i] = records[at + 16]!;
      userData[i] = records[at + 17]!;
    } else {
      returns[i] = (flags & 7) | (((flags >> 3) & 7) << 4);
      classes[i] = records[at + 15]! & 31;
      userData[i] = records[at + 17]!;
    }
  }
  const shorts = (field: number | undefined, bands: number): Uint16Array | undefined => {
    if (field === undefined) return undefined;
    const values = new Uint16Array(count * bands);
    for (let i = 0; i < count; i++)
      for (let band = 0; band < bands; band++)
        values[i * bands + band] = view.getUint16(starts[i]! + field + band * 2, true);
    return values;
  };
  const isWanted = (field: LayeredField): boolean => fields === undefined || fields.has(field);
  const scanAngles = isWanted('scanAngle') ? new Float32Array(count) : undefined;
  if (scanAngles)
    for (let i = 0; i < count; i++)
      scanAngles[i] = isNew
        ? view.getInt16(starts[i]! + 18, true) * angleStep
        : view.getInt8(starts[i]! + 16);
  const gpsTimes = gpsTime === undefined ? undefined : new Float64Array(count);
  if (gpsTimes) for (let i = 0; i < count; i++) gpsTimes[i] = view.getFloat64(starts[i]! + gpsTime!, true);
  return {
    count,
    places,
    intensities,
    classes,
    returns,
    colours: shorts(colour, 3),
    gpsTimes,
    sources: isWanted('pointSource') ? shorts(isNew ? 20 : 18, 1) : undefined,
    userData,
    scanAngles,
    infrared: shorts(infrared, 1),
    ...(extras.length > 0 && {
      extras: new Map(extras.map((field) => [field.name, readExtra(view, starts, field)])),
    }),
  };
}

/** Offsets of the records without a bit of their flags. */
function keptRecords(records: Uint8Array, recordLength: number, bit: number): Uint32Array {
  const starts = new Uint32Array(Math.floor(records.length / recordLength));
  let count = 0;
  for (let at = 0; at + recordLength <= records.length; at += recordLength)
    if ((records[at + flagsOffset]! & bit) === 0) starts[count++] = at;
  return starts.subarray(0, count);
}
