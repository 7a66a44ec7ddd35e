/** Precision of the shares of symbols and of bits, in bits (FastAC of Amir Said, as LASzip uses it). */
export const symbolShift = 15;
export const bitShift = 13;

const maxBitCycle = 64;
/** Models of more symbols get a table in which the search for a symbol begins. */
const maxSearchedSymbols = 16;
const firstWords = 1 << 16;

/**
 * Adaptive models of an arithmetic coder, all in one array of words: a model is its offset. A decoder of points uses thousands,
 * and creating an object for each would take longer than decoding a small chunk.
 *
 * A model of n symbols is laid out as: n, total, cycle, cycle left, size of the table, shift of the table, two spare words,
 * n counts, n shares before each symbol, the table. A model of a bit: zeros, total, share of zeros, cycle, cycle left.
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
    let tableBits = 0;
    if (count > maxSearchedSymbols) {
      tableBits = 3;
      while (count > 1 << (tableBits + 2)) tableBits++;
    }
    const tableSize = tableBits === 0 ? 0 : 1 << tableBits;
    const model = this.allocate(8 + 2 * count + (tableSize === 0 ? 0 : tableSize + 2));
    const { words } = this;
    words[model] = count;
    words[model + 1] = 0;
    words[model + 2] = count;
    words[model + 4] = tableSize;
    words[model + 5] = tableBits === 0 ? 0 : symbolShift - tableBits;
    words.fill(1, model + 8, model + 8 + count);
    spreadSymbols(words, model);
    words[model + 2] = (count + 6) >> 1;
    words[model + 3] = words[model + 2]!;
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
  const count = words[model]!;
  const counts = model + 8;
  const shares = counts + count;
  const cycle = words[model + 2]!;
  let total = words[model + 1]! + cycle;
  if (total > 1 << symbolShift) {
    total = 0;
    for (let i = counts; i < shares; i++) total += words[i] = (words[i]! + 1) >> 1;
  }
  words[model + 1] = total;
  const scale = (0x8000_0000 / total) >>> 0;
  const tableSize = words[model + 4]!;
  const table = shares + count;
  const tableShift = words[model + 5]!;
  let [sum, filled] = [0, 0];
  for (let i = 0; i < count; i++) {
    const share = Math.imul(scale, sum) >>> (31 - symbolShift);
    words[shares + i] = share;
    sum = (sum + words[counts + i]!) | 0;
    if (tableSize > 0) for (const end = share >> tableShift; filled < end;) words[table + ++filled] = i - 1;
  }
  if (tableSize > 0) {
    words[table] = 0;
    while (filled <= tableSize) words[table + ++filled] = count - 1;
  }
  const next = Math.min((5 * cycle) >> 2, (count + 6) << 3);
  words[model + 2] = next;
  words[model + 3] = next;
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
