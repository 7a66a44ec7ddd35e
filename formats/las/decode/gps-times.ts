import type { ArithmeticDecoder } from './arithmetic-decoder.ts';
import { IntegerDecoder } from './integer-decoder.ts';
import type { ModelArena } from './model-arena.ts';

const maxMultiple = 500;
const minMultiple = -10;
/** Codes of multiples by the version of points: the older one has a code for no change. */
const codes = {
  old: { first: 6, further: 516, shift: 0 },
  new: { first: 5, further: 515, shift: 1 },
} as const;
const unchanged = maxMultiple - minMultiple + 1;
const whole = unchanged + 1;
const maxExtremes = 3;

/**
 * LASzip's coding of GPS times (GPSTIME11 version 2, POINT14 version 3): four sequences of times, each with the difference that is
 * usual in it. A time is a double, whose bits are counted as an integer of 64 bits.
 */
export class GpsTimes {
  private readonly models: ModelArena;
  private readonly version: (typeof codes)['old' | 'new'];
  private readonly integers: IntegerDecoder;
  private readonly lows = new Int32Array(4);
  private readonly highs = new Int32Array(4);
  private readonly differences = new Int32Array(4);
  private readonly extremes = new Int32Array(4);
  private last = 0;
  private next = 0;
  private firstModel = 0;
  private furtherModel = 0;

  constructor(models: ModelArena, version: keyof typeof codes) {
    this.models = models;
    this.version = codes[version];
    this.integers = new IntegerDecoder(models, 32, 9);
  }

  /** The lower and the upper word of the last time. */
  get low(): number {
    return this.lows[this.last]!;
  }

  get high(): number {
    return this.highs[this.last]!;
  }

  start(low: number, high: number): void {
    this.lows[0] = low;
    this.highs[0] = high;
  }

  read(decoder: ArithmeticDecoder): void {
    // a code may only choose another sequence, and then another code follows
    while (!(this.differences[this.last] === 0 ? this.readFirst(decoder) : this.readFurther(decoder)));
  }

  private readFirst(decoder: ArithmeticDecoder): boolean {
    const { last, version } = this;
    if (this.firstModel === 0) this.firstModel = this.models.symbols(version.first);
    const code = decoder.symbol(this.firstModel) + version.shift;
    if (code === 0) return true;
    if (code === 1) {
      const difference = this.integers.read(decoder, 0, 0);
      this.differences[last] = difference;
      this.extremes[last] = 0;
      this.add(difference);
      return true;
    }
    if (code === 2) return this.readWhole(decoder);
    this.last = (last + code - 2) & 3;
    return false;
  }

  private readFurther(decoder: ArithmeticDecoder): boolean {
    const { last, integers } = this;
    if (this.furtherModel === 0) this.furtherModel = this.models.symbols(this.version.further);
    let code = decoder.symbol(this.furtherModel);
    if (code >= unchanged) code += this.version.shift;
    const usual = this.differences[last]!;
    if (code === 1) {
      this.add(integers.read(decoder, usual, 1));
      this.extremes[last] = 0;
    } else if (code === 0) this.addExtreme(integers.read(decoder, 0, 7));
    else if (code < maxMultiple) this.add(integers.read(decoder, Math.imul(code, usual), code < 10 ? 2 : 3));
    else if (code === maxMultiple) this.addExtreme(integers.read(decoder, Math.imul(code, usual), 4));
    else if (code < unchanged) {
      const multiple = maxMultiple - code;
      if (multiple > minMultiple) this.add(integers.read(decoder, Math.imul(multiple, usual), 5));
      else this.addExtreme(integers.read(decoder, Math.imul(minMultiple, usual), 6));
    } else if (code === whole) return this.readWhole(decoder);
    else if (code > whole) {
      this.last = (last + code - whole) & 3;
      return false;
    }
    return true;
  }

  /** After several extreme differences, the last one is usual. */
  private addExtreme(difference: number): void {
    const { last } = this;
    if (++this.extremes[last]! > maxExtremes) {
      this.differences[last] = difference;
      this.extremes[last] = 0;
    }
    this.add(difference);
  }

  private add(difference: number): void {
    const { last } = this;
    const sum = (this.lows[last]! >>> 0) + difference;
    this.lows[last] = sum | 0;
    if (sum < 0) this.highs[last]!--;
    else if (sum > 0xffff_ffff) this.highs[last]!++;
  }

  private readWhole(decoder: ArithmeticDecoder): boolean {
    const high = this.integers.read(decoder, this.highs[this.last]!, 8);
    this.next = (this.next + 1) & 3;
    this.last = this.next;
    this.highs[this.last] = high;
    this.lows[this.last] = decoder.raw(32);
    this.differences[this.last] = 0;
    this.extremes[this.last] = 0;
    return true;
  }
}
