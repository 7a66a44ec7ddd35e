import { inflateSync, zstdDecompressSync } from 'node:zlib';
import { BytesError } from '../bytes/bytes.ts';
import { readExactly } from '../bytes/read-exactly.ts';
import { unpackLzw } from './lzw.ts';
import { numbersOf, rawOf, type Tiff } from './read-tiff.ts';
import type { TiffImage } from './read-image.ts';
import { compression, photometric, tag } from './tags.ts';

/** The samples of a tile or strip; the bands of a pixel are adjacent unless the image is planar. */
export type Samples =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Samples of 8 bits from a JPEG or WebP file. */
export type DecodePicture = (picture: Uint8Array, bands: number) => Promise<Uint8Array>;

export interface BlockReader {
  /** Number of block columns; for a planar image those of one band. */
  readonly columns: number;
  readonly rows: number;
  /** @returns undefined where the file leaves it out. @throws BytesError where it is damaged */
  read(column: number, row: number, plane?: number): Promise<Samples | undefined>;
  /** Size of a block in the file, in bytes. */
  packedBytes(column: number, row: number, plane?: number): Promise<number>;
}

export interface BlockOptions {
  readonly decodePicture?: DecodePicture | undefined;
  /** Limit for a block, packed and unpacked; 64 MiB by default. */
  readonly maxBlockBytes?: number;
}

const defaultMaxBlockBytes = 64 << 20;

/** @returns undefined where its pixels are stored in a way that is not read here */
export function openBlocks(
  tiff: Tiff,
  image: TiffImage,
  { decodePicture, maxBlockBytes = defaultMaxBlockBytes }: BlockOptions = {},
): BlockReader | undefined {
  const kind = samplesOf(image);
  const isPicture = image.compression === compression.jpeg || image.compression === compression.webp;
  const unpack = unpackers[image.compression];
  if (kind === undefined || (isPicture ? !decodePicture || image.bits !== 8 : !unpack)) return undefined;
  const { width, height, blockWidth, blockHeight, isPlanar, isTiled, directory } = image;
  const [columns, rows] = [Math.ceil(width / blockWidth), Math.ceil(height / blockHeight)];
  const bands = isPlanar ? 1 : image.bands;
  const sampleBytes = image.bits / 8;
  const placeOf = async (column: number, row: number, plane: number) => {
    const range = { from: (plane * rows + row) * columns + column, count: 1 };
    const [offset = 0] = await numbersOf(
      tiff,
      directory,
      isTiled ? tag.tileOffsets : tag.stripOffsets,
      range,
    );
    const counts = isTiled ? tag.tileByteCounts : tag.stripByteCounts;
    const [length = 0] = await numbersOf(tiff, directory, counts, range);
    return { offset, length };
  };
  return {
    columns,
    rows,
    packedBytes: async (column, row, plane = 0) => (await placeOf(column, row, plane)).length,
    async read(column, row, plane = 0) {
      const { offset, length } = await placeOf(column, row, plane);
      if (length === 0 || offset === 0) return undefined;
      const blockRows = isTiled ? blockHeight : Math.min(blockHeight, height - row * blockHeight);
      const size = Math.ceil((blockWidth * bands * image.bits) / 8) * blockRows;
      if (size > maxBlockBytes || length > maxBlockBytes) throw new BytesError('its tiles are too large');
      const packed = await readExactly(tiff.bytes, offset, length);
      if (isPicture) return decodePicture!(await wholeJpeg(tiff, image, packed), bands);
      const raw = unpackOrFail(unpack!, packed, size);
      const layout = { rows: blockRows, width: blockWidth, bands, sampleBytes };
      if (image.predictor === 3) return kind(gatherFloats(raw, layout), true);
      const samples = kind(raw, tiff.isLittle);
      if (image.predictor === 2) sumUp(samples, layout);
      return samples;
    },
  };
}

type Unpack = (packed: Uint8Array, size: number) => Uint8Array;

const inflate: Unpack = (packed, size) => inflateSync(packed, { maxOutputLength: size + maxTailBytes });
/** Some writers fill up the last block. */
const maxTailBytes = 1 << 16;

const unpackers: Readonly<Record<number, Unpack>> = {
  [compression.none]: (packed) => new Uint8Array(packed),
  [compression.lzw]: unpackLzw,
  [compression.deflate]: inflate,
  [compression.oldDeflate]: inflate,
  [compression.zstd]: (packed, size) => zstdDecompressSync(packed, { maxOutputLength: size + maxTailBytes }),
  [compression.packBits]: unpackBits,
};

/** @returns exactly `size` bytes */
function unpackOrFail(unpack: Unpack, packed: Uint8Array, size: number): Uint8Array {
  let raw: Uint8Array;
  try {
    raw = unpack(packed, size);
  } catch (error) {
    throw new BytesError('one of its tiles is damaged', { cause: error });
  }
  if (raw.length < size) throw new BytesError('one of its tiles is damaged');
  // aligned, and not shared
  return raw.byteOffset % 8 === 0 && raw.length === size ? raw : new Uint8Array(raw.subarray(0, size));
}

function unpackBits(packed: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(size);
  let to = 0;
  for (let at = 0; at < packed.length && to < size;) {
    const head = packed[at++]!;
    if (head < 128) {
      const literal = packed.subarray(at, Math.min(at + head + 1, at + size - to));
      output.set(literal, to);
      to += literal.length;
      at += head + 1;
    } else if (head > 128) {
      output.fill(packed[at++] ?? 0, to, to + 257 - head);
      to += 257 - head;
    }
  }
  return output.subarray(0, Math.min(to, size));
}

type ToSamples = (raw: Uint8Array, isLittle: boolean) => Samples;

const arrays = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

function samplesOf({ sampleFormat, bits, bands, blockWidth }: TiffImage): ToSamples | undefined {
  if (bits === 1 && bands === 1) return (raw) => unpackBilevel(raw, blockWidth);
  const name = `${sampleFormat === 'void' ? 'uint' : sampleFormat}${bits}`;
  if (!Object.hasOwn(arrays, name)) return undefined;
  const type = arrays[name as keyof typeof arrays];
  return (raw, isLittle) => {
    const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.length);
    if (!isLittle && bits === 16) bytes.swap16();
    if (!isLittle && bits === 32) bytes.swap32();
    if (!isLittle && bits === 64) bytes.swap64();
    return new type(raw.buffer as ArrayBuffer, raw.byteOffset, Math.floor((raw.length * 8) / bits));
  };
}

/** 0 and 1, the highest bit of a byte first; each line begins with a byte of its own. */
function unpackBilevel(raw: Uint8Array, width: number): Uint8Array {
  const lineBytes = Math.ceil(width / 8);
  const samples = new Uint8Array((raw.length / lineBytes) * width);
  for (let i = 0, row = 0; i < samples.length; row += lineBytes) {
    for (let x = 0; x < width; x++, i++) samples[i] = (raw[row + (x >> 3)]! >> (7 - (x & 7))) & 1;
  }
  return samples;
}

interface Layout {
  readonly rows: number;
  readonly width: number;
  readonly bands: number;
  readonly sampleBytes: number;
}

/** Predictor 2 (TIFF 6, section 14): each sample is the difference to the one on its left. */
function sumUp(samples: Samples, { rows, width, bands }: Layout): void {
  const line = width * bands;
  for (let row = 0; row < rows; row++) {
    for (let i = row * line + bands; i < (row + 1) * line; i++) samples[i]! += samples[i - bands]!;
  }
}

/**
 * Predictor 3 (Adobe's technical note 3): the bytes of a line's floats stand apart, the highest first. @returns
 * little-endian
 */
function gatherFloats(raw: Uint8Array, { rows, width, bands, sampleBytes }: Layout): Uint8Array {
  const count = width * bands;
  const line = count * sampleBytes;
  const output = new Uint8Array(raw.length);
  for (let row = 0; row < rows; row++) {
    const start = row * line;
    for (let i = start + bands; i < start + line; i++) raw[i]! += raw[i - bands]!;
    for (let i = 0; i < count; i++) {
      for (let byte = 0; byte < sampleBytes; byte++)
        output[start + i * sampleBytes + sampleBytes - 1 - byte] = raw[start + byte * count + i]!;
    }
  }
  return output;
}

const startOfImage = [0xff, 0xd8];
/** Adobe's marker with transform 0: three bands are not YCbCr. */
const plainColours = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 0];

/**
 * A JPEG tile completed with the tables of its directory, without which it cannot be decoded (TIFF technical note 2).
 */
async function wholeJpeg(tiff: Tiff, image: TiffImage, packed: Uint8Array): Promise<Uint8Array> {
  if (image.compression !== compression.jpeg) return packed;
  const tables = await rawOf(tiff, image.directory, tag.jpegTables);
  const colours = image.photometric === photometric.rgb ? plainColours : [];
  return Buffer.concat([
    Uint8Array.from([...startOfImage, ...colours]),
    tables.length > 4 ? tables.subarray(2, -2) : new Uint8Array(0),
    packed.subarray(2),
  ]);
}
