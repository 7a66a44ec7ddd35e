import type { ArithmeticDecoder } from './arithmetic-decoder.ts';
import type { ModelArena } from './model-arena.ts';

/** Bits of a difference that are modelled; the others are stored raw. */
const modelledBits = 8;

/**
 * LASzip's coding of integers by their difference from a prediction: first the number of bits of the difference by context, then the
 * difference. Models are made when they are first needed.
 */
export class IntegerDecoder {
  /** Bits of the last difference. */
  lastBits = 0;
  private readonly models: ModelArena;
  private readonly width: number;
  private readonly lengths: Int32Array;
  private readonly differences = new Int32Array(33);
  private single = 0;

  /** @param width of the numbers: 16 or 32 bits */
  constructor(models: ModelArena, width: 16 | 32, contexts: number) {
    this.models = models;
    this.width = width;
    this.lengths = new Int32Array(contexts);
  }

  /** @returns of 16 bits an unsigned number, of 32 bits a signed one */
  read(decoder: ArithmeticDecoder, prediction: number, context: number): number {
    let lengths = this.lengths[context]!;
    if (lengths === 0) lengths = this.lengths[context] = this.models.symbols(this.width + 1);
    const bits = decoder.symbol(lengths);
    this.lastBits = bits;
    let difference: number;
    if (bits === 0) {
      if (this.single === 0) this.single = this.models.bit();
      difference = decoder.bit(this.single);
    } else if (bits === 32) difference = -(2 ** 31);
    else {
      let model = this.differences[bits]!;
      if (model === 0)
        model = this.differences[bits] = this.models.symbols(1 << Math.min(bits, modelledBits));
      difference = decoder.symbol(model);
      if (bits > modelledBits)
        difference = (difference << (bits - modelledBits)) | decoder.raw(bits - modelledBits);
      // the upper half is positive, the lower half negative
      difference = difference >= 1 << (bits - 1) ? difference + 1 : difference - ((1 << bits) - 1);
    }
    const value = (prediction + difference) | 0;
    return this.width === 32 ? value : value & 0xffff;
  }
}
