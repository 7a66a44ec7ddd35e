import { BytesError } from '../../bytes/bytes.ts';
import {
  balanceBit,
  bitShift,
  cycleLeftOf,
  nextShare,
  pairsOf,
  spreadSymbols,
  symbolShift,
  tableOf,
  tableShiftOf,
  type ModelArena,
} from './model-arena.ts';

const minLength = 0x100_0000;
/** Bits that are read at once without a model. */
const maxRawBits = 19;

/**
 * The arithmetic decoder of LASzip (FastAC of Amir Said). Numbers are unsigned, of 32 bits, and kept as signed ones. The value
 * always stays below the length of the interval, whatever the bytes are: so no symbol leads out of its model.
 */
export class ArithmeticDecoder {
  private readonly models: ModelArena;
  private bytes: Uint8Array = new Uint8Array(0);
  private at = 0;
  private end = 0;
  private value = 0;
  private length = -1;

  constructor(models: ModelArena) {
    this.models = models;
  }

  /** Begins to decode these bytes. @throws BytesError if no encoder begins like this */
  start(bytes: Uint8Array, from: number, end: number): void {
    this.bytes = bytes;
    this.end = end;
    this.at = from;
    this.length = -1;
    this.value = 0;
    for (; this.at < from + 4; this.at++)
      this.value = (this.value << 8) | (this.at < end ? bytes[this.at]! : 0);
    if (this.value === -1) throw new BytesError('one of its point chunks is damaged');
  }

  /** Whether more was decoded than there are bytes, which then read as zeros. */
  get isBeyondEnd(): boolean {
    return this.at > this.end;
  }

  symbol(model: number): number {
    const { words } = this.models;
    let { value, length } = this;
    const unit = length >>> symbolShift;
    const share = ((value >>> 0) / unit) | 0;
    let place = words[words[model + tableOf]! + (share >> words[model + tableShiftOf]!)]!;
    while (words[place + nextShare]! <= share) place += 2;
    const lower = Math.imul(words[place + 1]!, unit);
    // the last symbol has what is left
    if (place !== words[model]!) length = Math.imul(words[place + nextShare]!, unit);
    length = (length - lower) | 0;
    value = (value - lower) | 0;
    if (length >>> 0 < minLength) {
      const { bytes, end } = this;
      let { at } = this;
      do {
        value = (value << 8) | (at < end ? bytes[at]! : 0);
        at++;
        length <<= 8;
      } while (length >>> 0 < minLength);
      this.at = at;
    }
    this.value = value;
    this.length = length;
    words[place]!++;
    if (--words[model + cycleLeftOf]! === 0) spreadSymbols(words, model);
    return (place - model - pairsOf) >> 1;
  }

  bit(model: number): 0 | 1 {
    const { words } = this.models;
    const border = Math.imul(words[model + 2]!, this.length >>> bitShift);
    const bit = this.value >>> 0 >= border >>> 0 ? 1 : 0;
    if (bit === 1) {
      this.value = (this.value - border) | 0;
      this.length = (this.length - border) | 0;
    } else {
      words[model]!++;
      this.length = border;
    }
    if (this.length >>> 0 < minLength) this.lengthen();
    if (--words[model + 4]! === 0) balanceBit(words, model);
    return bit;
  }

  /** Up to 32 bits that are not modelled, as a signed number. @throws BytesError if no encoder writes such */
  raw(count: number): number {
    if (count > maxRawBits) {
      const low = this.raw(16);
      return (this.raw(count - 16) << 16) | low;
    }
    const unit = this.length >>> count;
    const bits = ((this.value >>> 0) / unit) | 0;
    if (bits >= 1 << count) throw new BytesError('one of its point chunks is damaged');
    this.value = (this.value - Math.imul(unit, bits)) | 0;
    this.length = unit;
    if (unit < minLength) this.lengthen();
    return bits;
  }

  /** Reads bytes until the interval is long enough again. */
  private lengthen(): void {
    const { bytes, end } = this;
    let { value, length, at } = this;
    do {
      value = (value << 8) | (at < end ? bytes[at]! : 0);
      at++;
      length <<= 8;
    } while (length >>> 0 < minLength);
    this.value = value;
    this.length = length;
    this.at = at;
  }
}
