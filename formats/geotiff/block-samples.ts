import type { PixelSamples } from '@platen/geo/raster/halve-pixels';
import type { TiffImage } from './read-image.ts';

/** The samples of a tile or strip; the bands of a pixel are adjacent unless the image is planar. */
export type Samples = PixelSamples;

export const sampleArrays = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

export type SampleArray = keyof typeof sampleArrays;

/** The array that holds an image's samples; undefined: there is none. Fewer bits have the next larger one. */
export function sampleArrayOf({
  sampleFormat,
  bits,
}: Pick<TiffImage, 'sampleFormat' | 'bits'>): SampleArray | undefined {
  const kind = sampleFormat === 'void' ? 'uint' : sampleFormat;
  if (kind === 'float' && bits === 16) return 'float32';
  if (kind === 'uint' && bits < 16) return bits <= 8 ? 'uint8' : 'uint16';
  const name = `${kind}${bits}`;
  return Object.hasOwn(sampleArrays, name) ? (name as SampleArray) : undefined;
}

/** The samples of an unpacked block, by predictor and bits. */
export interface BlockLayout {
  readonly rows: number;
  /** In pixels. */
  readonly width: number;
  /** Bands that stand beside each other. */
  readonly bands: number;
  readonly bits: number;
  readonly predictor: number;
  readonly isLittle: boolean;
}

/** @returns undefined where its numbers, or their predictor, are not known */
export function sampleReaderOf(
  image: TiffImage,
): ((raw: Uint8Array, layout: BlockLayout) => Samples) | undefined {
  const name = sampleArrayOf(image);
  if (name === undefined || ![1, 2, 3].includes(image.predictor)) return undefined;
  const isHalf = image.sampleFormat === 'float' && image.bits === 16;
  const areBits = image.bits % 8 !== 0;
  if (areBits) return image.predictor === 1 ? unpackSmall : undefined;
  if (image.predictor === 3 && image.sampleFormat !== 'float') return undefined;
  const type = isHalf ? Uint16Array : sampleArrays[name];
  return (raw, layout) => {
    const samples =
      layout.predictor === 3
        ? numbersOf(gatherFloats(raw, layout), { type, bits: layout.bits, isLittle: true })
        : numbersOf(raw, { type, bits: layout.bits, isLittle: layout.isLittle });
    if (layout.predictor === 2) sumUp(samples, layout);
    return isHalf ? Float32Array.from(halvesOf(samples)) : samples;
  };
}

interface Numbers {
  readonly type: (typeof sampleArrays)[SampleArray];
  readonly bits: number;
  readonly isLittle: boolean;
}

function numbersOf(raw: Uint8Array, { type, bits, isLittle }: Numbers): Samples {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.length);
  if (!isLittle && bits === 16) bytes.swap16();
  if (!isLittle && bits === 32) bytes.swap32();
  if (!isLittle && bits === 64) bytes.swap64();
  return new type(raw.buffer as ArrayBuffer, raw.byteOffset, Math.floor((raw.length * 8) / bits));
}

/** Samples of 1 to 15 bits, the highest bit of a byte first; each line begins with a byte of its own. */
function unpackSmall(raw: Uint8Array, { rows, width, bands, bits }: BlockLayout): Samples {
  const line = width * bands;
  const lineBytes = Math.ceil((line * bits) / 8);
  const samples = bits <= 8 ? new Uint8Array(line * rows) : new Uint16Array(line * rows);
  const lowest = 2 ** bits - 1;
  for (let row = 0, i = 0; row < rows; row++) {
    for (let x = 0, at = row * lineBytes * 8; x < line; x++, i++, at += bits) {
      const first = at >> 3;
      // 24 bits that hold it
      const word = ((raw[first]! << 16) | ((raw[first + 1] ?? 0) << 8) | (raw[first + 2] ?? 0)) >>> 0;
      samples[i] = (word >> (24 - bits - (at & 7))) & lowest;
    }
  }
  return samples;
}

/** Predictor 2 (TIFF 6, section 14): each sample is the difference to the one on its left. */
function sumUp(samples: Samples, { rows, width, bands }: BlockLayout): void {
  const line = width * bands;
  for (let row = 0; row < rows; row++) {
    for (let i = row * line + bands; i < (row + 1) * line; i++) samples[i]! += samples[i - bands]!;
  }
}

/**
 * Predictor 3 (Adobe's technical note 3): the bytes of a line's floats stand apart, the highest first. @returns
 * little-endian
 */
function gatherFloats(raw: Uint8Array, { rows, width, bands, bits }: BlockLayout): Uint8Array {
  const sampleBytes = bits / 8;
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

function halvesOf({ buffer, byteOffset, length }: Samples): Float16Array {
  return new Float16Array(buffer as ArrayBuffer, byteOffset, length);
}
