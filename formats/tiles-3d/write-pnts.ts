/** A property of each point. Types are those that viewers take as attributes of vertices. */
export interface PointProperty {
  readonly name: string;
  readonly values: Uint8Array | Uint16Array | Float32Array;
  /** Its name where the points come from. */
  readonly title?: string;
  /** Of points without a value. */
  readonly noData?: number;
}

export type PointPositions =
  | {
      readonly kind: 'quantized';
      /** x, y, z of each point, in steps of `scale` / 65535 from `offset`. */
      readonly values: Uint16Array;
      readonly offset: readonly number[];
      readonly scale: readonly number[];
    }
  | {
      readonly kind: 'float';
      /** x, y, z of each point, in metres from `centre`. */
      readonly values: Float32Array;
      readonly centre: readonly number[];
    };

export interface PointTile {
  readonly count: number;
  readonly positions: PointPositions;
  /** Red, green, blue of each point, in sRGB. */
  readonly colours: Uint8Array | undefined;
  readonly properties: readonly PointProperty[];
}

const headerBytes = 28;
const alignment = 8;

/** A tile of points (3D Tiles 1.0, `pnts`): little endian, tables aligned to 8 bytes, a batch table with a value for each point. */
export function writePnts({ count, positions, colours, properties }: PointTile): Uint8Array {
  const featureParts: Uint8Array[] = [bytesOf(positions.values)];
  const features: Record<string, unknown> = { POINTS_LENGTH: count };
  if (positions.kind === 'quantized') {
    features['POSITION_QUANTIZED'] = { byteOffset: 0 };
    features['QUANTIZED_VOLUME_OFFSET'] = positions.offset;
    features['QUANTIZED_VOLUME_SCALE'] = positions.scale;
  } else {
    features['POSITION'] = { byteOffset: 0 };
    features['RTC_CENTER'] = positions.centre;
  }
  if (colours !== undefined) {
    features['RGB'] = { byteOffset: positions.values.byteLength };
    featureParts.push(bytesOf(colours));
  }
  const batch: Record<string, unknown> = {};
  const batchParts: Uint8Array[] = [];
  let batchBytes = 0;
  // wider types first: so each offset is a multiple of its type
  for (const { name, values } of properties.toSorted((a, b) => widthOf(b) - widthOf(a))) {
    batch[name] = { byteOffset: batchBytes, componentType: typeOf(values), type: 'SCALAR' };
    batchParts.push(bytesOf(values));
    batchBytes += values.byteLength;
  }
  const sections = [
    sectionOf([Buffer.from(JSON.stringify(features))], headerBytes),
    sectionOf(featureParts),
    sectionOf(properties.length === 0 ? [] : [Buffer.from(JSON.stringify(batch))]),
    sectionOf(batchParts),
  ];
  const tile = Buffer.alloc(sections.reduce((sum, { length }) => sum + length, headerBytes));
  tile.write('pnts');
  const lengths = sections.map(({ length }) => length);
  for (const [i, value] of [1, tile.length, ...lengths].entries()) tile.writeUInt32LE(value, 4 + i * 4);
  let at = headerBytes;
  for (const [i, { parts, length }] of sections.entries()) {
    const end = at + length;
    // JSON is padded with blanks
    if (i % 2 === 0) tile.fill(0x20, at, end);
    for (const part of parts) {
      tile.set(part, at);
      at += part.length;
    }
    at = end;
  }
  return tile;
}

interface Section {
  readonly parts: readonly Uint8Array[];
  /** With what aligns its end. */
  readonly length: number;
}

/** @param before bytes of the file before these, which end where the file is aligned */
function sectionOf(parts: readonly Uint8Array[], before = 0): Section {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const rest = (alignment - ((before + length) % alignment)) % alignment;
  return { parts, length: length + rest };
}

const widthOf = ({ values }: PointProperty): number => values.BYTES_PER_ELEMENT;

function typeOf(values: PointProperty['values']): string {
  if (values instanceof Uint8Array) return 'UNSIGNED_BYTE';
  return values instanceof Uint16Array ? 'UNSIGNED_SHORT' : 'FLOAT';
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
