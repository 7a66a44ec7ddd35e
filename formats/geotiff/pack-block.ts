import { promisify } from 'node:util';
import { constants, deflate, zstdCompress } from 'node:zlib';
import type { Samples } from './read-block.ts';

const deflateAsync = promisify(deflate);
const zstdAsync = promisify(zstdCompress);

export type LosslessCompression = 'deflate' | 'zstd';

export interface BlockForm {
  readonly width: number;
  readonly bands: number;
  /** 1: a number for each sample of 0 or 1. */
  readonly bits: number;
  readonly compression: LosslessCompression;
  /** 1: none, 2: differences, 3: of the bytes of floats. */
  readonly predictor: 1 | 2 | 3;
}

/** Packs the samples of a block on another thread. They may change as soon as this has returned. */
export async function packBlock(samples: Samples, form: BlockForm): Promise<Uint8Array> {
  const raw = form.bits === 1 ? packBits(samples, form.width) : predicted(samples, form);
  if (form.compression === 'deflate') return deflateAsync(raw);
  return zstdAsync(raw, { params: { [constants.ZSTD_c_compressionLevel]: 9 } });
}

/** A number of 0 or 1 for each pixel to one bit, the first pixel the highest; lines begin with a byte of their own. */
export function packBits(samples: Samples, width: number): Uint8Array {
  const lineBytes = Math.ceil(width / 8);
  const bits = new Uint8Array((samples.length / width) * lineBytes);
  for (let i = 0, line = 0; i < samples.length; line += lineBytes) {
    for (let x = 0; x < width; x++, i++) if (samples[i]) bits[line + (x >> 3)]! |= 128 >> (x & 7);
  }
  return bits;
}

function predicted(samples: Samples, { width, bands, predictor }: BlockForm): Uint8Array {
  if (predictor === 3) return spreadFloats(samples, { line: width * bands, bands });
  const stored = samples.slice();
  if (predictor === 2) {
    const line = width * bands;
    for (let start = 0; start < samples.length; start += line) {
      for (let i = start + bands; i < start + line; i++) stored[i] = samples[i]! - samples[i - bands]!;
    }
  }
  return new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength);
}

/** The bytes of a line's floats apart, the highest first, and each as the difference to the pixel before. */
function spreadFloats(samples: Samples, { line, bands }: { line: number; bands: number }): Uint8Array {
  const size = samples.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const stored = new Uint8Array(bytes.length);
  const lineBytes = line * size;
  for (let start = 0; start < bytes.length; start += lineBytes) {
    for (let byte = 0; byte < size; byte++) {
      const target = start + (size - 1 - byte) * line;
      for (let i = 0; i < line; i++) stored[target + i] = bytes[start + i * size + byte]!;
    }
    for (let i = start + lineBytes - 1; i >= start + bands; i--) stored[i]! -= stored[i - bands]!;
  }
  return stored;
}
