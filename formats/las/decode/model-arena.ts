/** Precision of the shares of symbols and of bits, in bits (FastAC of Amir Said, as LASzip uses it). */
export const symbolShift = 15;
export const bitShift = 13;

const maxBitCycle = 64;
/** The search for a symbol begins at that of a table, which has about as many rows as there are symbols. */
const [minTableBits, maxTableBits] = [4, 8];
const firstWords = 1 << 16;
/** Places in a model. */
export const cycleLeftOf = 3;
export const tableOf = 4;
export const tableShiftOf = 5;
export const pairsOf = 8;
/** Of the share before the next symbol, from the pair of a symbol. */
export const nextShare = 3;

/**
 * Adaptive models of an arithmetic coder, all in one array of words: a model is its offset. A decoder of points uses thousands,
 * and creating an object for each would take longer than decoding a small chunk.
 *
 * A model of n symbols is laid out as: the offset of the last pair, total, cycle, cycle left, the offset of the table, its shift, two spare words,
 * for each symbol a pair of its count and the share before it, a pair that ends searches, the table of offsets of pairs.
 * A model of a bit: zeros, total, share of zeros, cycle, cycle left.
 */
export class ModelArena {
  words: Int32Array;
  private top = 1;

  constructor() {
    this.words = new Int32Array(firstWords);
  }

  /** Forgets all models. Offset 0 is never a model. */
  clear(): void {
    this.top = 1;
  }

  /** @returns the offset of a new model, in which all symbols are equally likely */
  symbols(count: number): number {
    let tableBits = minTableBits;
    while (count > 1 << tableBits && tableBits < maxTableBits) tableBits++;
    const pairs = 2 * count + 2;
    const model = this.allocate(pairsOf + pairs + (1 << tableBits) + 1);
    const { words } = this;
    const end = model + pairsOf + 2 * count;
    words[model] = end - 2;
    words[model + 1] = 0;
    words[model + 2] = count;
    words[model + tableOf] = model + pairsOf + pairs;
    words[model + tableShiftOf] = symbolShift - tableBits;
    for (let place = model + pairsOf; place < end; place += 2) words[place] = 1;
    words[end + 1] = 0x7fff_ffff;
    spreadSymbols(words, model);
    words[model + 2] = (count + 6) >> 1;
    words[model + cycleLeftOf] = words[model + 2]!;
    return model;
  }

  /** @returns the offset of a new model, in which 0 and 1 are equally likely */
  bit(): number {
    const model = this.allocate(5);
    this.words.set([1, 2, 1 << (bitShift - 1), 4, 4], model);
    return model;
  }

  private allocate(length: number): number {
    const model = this.top;
    this.top += length;
    if (this.top > this.words.length) {
      const larger = new Int32Array(this.words.length * 2 + length);
      larger.set(this.words);
      this.words = larger;
    }
    return model;
  }
}

/** Fits the shares to the counts, and chooses after how many symbols that happens next. */
export function spreadSymbols(words: Int32Array, model: number): void {
  const first = model + pairsOf;
  const last = words[model]!;
  const cycle = words[model + 2]!;
  let total = words[model + 1]! + cycle;
  if (total > 1 << symbolShift) {
    total = 0;
    for (let place = first; place <= last; place += 2) total += words[place] = (words[place]! + 1) >> 1;
  }
  words[model + 1] = total;
  const scale = (0x8000_0000 / total) >>> 0;
  const shift = words[model + tableShiftOf]!;
  const rounding = (1 << shift) - 1;
  let row = words[model + tableOf]!;
  const table = row;
  let sum = 0;
  for (let place = first; place <= last; place += 2) {
    const share = Math.imul(scale, sum) >>> (31 - symbolShift);
    words[place + 1] = share;
    sum = (sum + words[place]!) | 0;
    // rows whose shares begin before this symbol belong to the one before
    for (const end = table + ((share + rounding) >> shift); row < end; row++) words[row] = place - 2;
  }
  for (const end = table + (1 << (symbolShift - shift)); row <= end; row++) words[row] = last;
  const next = Math.min((5 * cycle) >> 2, (((last - first) >> 1) + 7) << 3);
  words[model + 2] = next;
  words[model + cycleLeftOf] = next;
}

/** The same for a model of a bit. */
export function balanceBit(words: Int32Array, model: number): void {
  let total = words[model + 1]! + words[model + 3]!;
  if (total > 1 << bitShift) {
    total = (total + 1) >> 1;
    words[model] = (words[model]! + 1) >> 1;
    if (words[model] === total) total++;
  }
  words[model + 1] = total;
  words[model + 2] = Math.imul(words[model]!, (0x8000_0000 / total) >>> 0) >>> (31 - bitShift);
  const next = Math.min((5 * words[model + 3]!) >> 2, maxBitCycle);
  words[model + 3] = next;
  words[model + 4] = next;
}
