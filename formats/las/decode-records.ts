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
export function decodeRecords(records: Uint8Array, header: LasHeader, reading?: RecordReading): PointBuffer {
  return createRecordDecoder(header, reading)(records);
}

/** Points of a block: few enough to stay in the processor's cache until they are used. */
const blockPoints = 2048;

/** The same, block by block, in memory that is used again: a block is valid until the next. */
export function* decodeBlocks(
  records: Uint8Array,
  { recordLength }: Pick<LasHeader, 'recordLength'>,
  decode: RecordDecoder,
): Generator<PointBuffer, void> {
  const blockBytes = blockPoints * recordLength;
  for (let at = 0; at < records.length; at += blockBytes)
    yield decode(records.subarray(at, Math.min(records.length, at + blockBytes)));
}

/** What it returns is valid until it is called again. */
export type RecordDecoder = (records: Uint8Array) => PointBuffer;

export function createRecordDecoder(
  header: LasHeader,
  { keepsWithheld = false, extras = [], fields }: RecordReading = {},
): RecordDecoder {
  const { recordLength, pointFormat } = header;
  const { gpsTime, colour, infrared } = layoutOf(pointFormat);
  const isNew = pointFormat >= 6;
  const withheld = keepsWithheld ? 0 : isNew ? withheldNew : withheldOld;
  const isWanted = (field: LayeredField): boolean => fields === undefined || fields.has(field);
  let memory: PointMemory | undefined;
  return (records) => {
    const view = viewOf(records);
    const starts = keptRecords(records, recordLength, withheld);
    const count = starts.length;
    if (memory === undefined || memory.intensities.length < count)
      memory = reserve(count, {
        times: gpsTime !== undefined,
        colours: colour !== undefined,
        angles: isWanted('scanAngle'),
      });
    const { colours, gpsTimes, scanAngles } = memory;
    decodeUsual(records, { view, starts, header }, memory);
    if (colours)
      for (let i = 0, to = 0; i < count; i++) {
        const at = starts[i]! + colour!;
        colours[to++] = view.getUint16(at, true);
        colours[to++] = view.getUint16(at + 2, true);
        colours[to++] = view.getUint16(at + 4, true);
      }
    if (gpsTimes) for (let i = 0; i < count; i++) gpsTimes[i] = view.getFloat64(starts[i]! + gpsTime!, true);
    if (scanAngles)
      for (let i = 0; i < count; i++)
        scanAngles[i] = isNew
          ? view.getInt16(starts[i]! + 18, true) * angleStep
          : view.getInt8(starts[i]! + 16);
    const shorts = (field: number): Uint16Array =>
      Uint16Array.from(starts, (start) => view.getUint16(start + field, true));
    return {
      count,
      places: memory.places.subarray(0, count * 3),
      intensities: memory.intensities.subarray(0, count),
      classes: memory.classes.subarray(0, count),
      returns: memory.returns.subarray(0, count),
      colours: colours?.subarray(0, count * 3),
      gpsTimes: gpsTimes?.subarray(0, count),
      sources: isWanted('pointSource') ? shorts(isNew ? 20 : 18) : undefined,
      userData: memory.userData.subarray(0, count),
      scanAngles: scanAngles?.subarray(0, count),
      infrared: infrared === undefined ? undefined : shorts(infrared),
      ...(extras.length > 0 && {
        extras: new Map(extras.map((field) => [field.name, readExtra(view, starts, field)])),
      }),
    };
  };
}

interface PointMemory {
  readonly places: Float64Array;
  readonly intensities: Uint16Array;
  readonly classes: Uint8Array;
  readonly returns: Uint8Array;
  readonly userData: Uint8Array;
  readonly colours: Uint16Array | undefined;
  readonly gpsTimes: Float64Array | undefined;
  readonly scanAngles: Float32Array | undefined;
}

function reserve(
  count: number,
  {
    times,
    colours,
    angles,
  }: { readonly times: boolean; readonly colours: boolean; readonly angles: boolean },
): PointMemory {
  return {
    places: new Float64Array(count * 3),
    intensities: new Uint16Array(count),
    classes: new Uint8Array(count),
    returns: new Uint8Array(count),
    userData: new Uint8Array(count),
    colours: colours ? new Uint16Array(count * 3) : undefined,
    gpsTimes: times ? new Float64Array(count) : undefined,
    scanAngles: angles ? new Float32Array(count) : undefined,
  };
}

/** The fields that all formats have. */
function decodeUsual(
  records: Uint8Array,
  {
    view,
    starts,
    header: { pointFormat, scale, offset },
  }: { readonly view: DataView; readonly starts: Uint32Array; readonly header: LasHeader },
  { places, intensities, classes, returns, userData }: PointMemory,
): void {
  const isNew = pointFormat >= 6;
  const [sx, sy, sz] = scale;
  const [ox, oy, oz] = offset;
  for (let i = 0; i < starts.length; i++) {
    const at = starts[i]!;
    places[i * 3] = view.getInt32(at, true) * sx + ox;
    places[i * 3 + 1] = view.getInt32(at + 4, true) * sy + oy;
    places[i * 3 + 2] = view.getInt32(at + 8, true) * sz + oz;
    intensities[i] = view.getUint16(at + 12, true);
    const flags = records[at + 14]!;
    userData[i] = records[at + 17]!;
    if (isNew) {
      returns[i] = flags;
      classes[i] = records[at + 16]!;
    } else {
      returns[i] = (flags & 7) | (((flags >> 3) & 7) << 4);
      classes[i] = records[at + 15]! & 31;
    }
  }
}

/** Offsets of the records without a bit of their flags. */
function keptRecords(records: Uint8Array, recordLength: number, bit: number): Uint32Array {
  const starts = new Uint32Array(Math.floor(records.length / recordLength));
  let count = 0;
  for (let at = 0; at + recordLength <= records.length; at += recordLength)
    if ((records[at + flagsOffset]! & bit) === 0) starts[count++] = at;
  return starts.subarray(0, count);
}
