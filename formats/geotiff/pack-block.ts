import { promisify } from 'node:util';
import { constants, deflate, zstdCompress } from 'node:zlib';
import type { Samples } from './read-block.ts';

const deflateAsync = promisify(deflate);
const zstdAsync = promisify(zstdCompress);

export type LosslessCompression = 'deflate' | 'zstd';

export interface BlockForm {
  readonly width: number;
  readonly bands: number;
  /** Below 8, samples are numbers of so many bits. */
  readonly bits: number;
  readonly compression: LosslessCompression;
  /** 1: none, 2: differences, 3: of the bytes of floats. */
  readonly predictor: 1 | 2 | 3;
}

/** Packs the samples of a block on another thread. They may change as soon as this has returned. */
export async function packBlock(samples: Samples, form: BlockForm): Promise<Uint8Array> {
  const { bits, width, bands } = form;
  const raw = bits < 8 ? packBits(samples, width * bands, bits) : predicted(samples, form);
  if (form.compression === 'deflate') return deflateAsync(raw);
  return zstdAsync(raw, { params: { [constants.ZSTD_c_compressionLevel]: 9 } });
}

/** Numbers of 1 to 7 bits, the first one highest in its byte; lines begin with a byte of their own. @param line numbers */
export function packBits(samples: Samples, line: number, bits = 1): Uint8Array {
  const lineBytes = Math.ceil((line * bits) / 8);
  const packed = new Uint8Array((samples.length / line) * lineBytes);
  for (let i = 0, to = 0; i < samples.length;) {
    let [word, waiting] = [0, 0];
    for (const end = i + line; i < end; i++) {
      word = (word << bits) | samples[i]!;
      waiting += bits;
      if (waiting < 8) continue;
      waiting -= 8;
      packed[to++] = word >> waiting;
      word &= (1 << waiting) - 1;
    }
    if (waiting > 0) packed[to++] = word << (8 - waiting);
  }
  return packed;
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
