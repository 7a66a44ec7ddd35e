/**
 * The arithmetic decoder of LASzip (Said's FastAC), as far as chunk tables need it. Numbers are unsigned, of 32 bits.
 */
export interface ArithmeticDecoder {
  bit(model: BitModel): number;
  symbol(model: SymbolModel): number;
  /** Up to 32 bits that are not modelled. */
  bits(count: number): number;
}

export interface BitModel {
  zeros: number;
  total: number;
  /** Probability of a zero, in 13 bits. */
  share: number;
  cycle: number;
  left: number;
}

export interface SymbolModel {
  readonly counts: Uint32Array;
  /** Before each symbol, in 15 bits. */
  readonly shares: Uint32Array;
  total: number;
  cycle: number;
  left: number;
}

const bitShift = 13;
const symbolShift = 15;
const minLength = 0x100_0000;
const maxBitCycle = 64;

export function createBitModel(): BitModel {
  return { zeros: 1, total: 2, share: 1 << (bitShift - 1), cycle: 4, left: 4 };
}

export function createSymbolModel(symbols: number): SymbolModel {
  const counts = new Uint32Array(symbols).fill(1);
  const model = { counts, shares: new Uint32Array(symbols), total: 0, cycle: symbols, left: 0 };
  spread(model);
  model.cycle = (symbols + 6) >> 1;
  model.left = model.cycle;
  return model;
}

function spread(model: SymbolModel): void {
  const { counts, shares } = model;
  model.total += model.cycle;
  if (model.total > 1 << symbolShift) {
    model.total = 0;
    for (let i = 0; i < counts.length; i++) {
      counts[i] = (counts[i]! + 1) >>> 1;
      model.total += counts[i]!;
    }
  }
  const scale = Math.floor(0x8000_0000 / model.total);
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    shares[i] = Math.floor((scale * sum) / 2 ** (31 - symbolShift));
    sum += counts[i]!;
  }
  model.cycle = Math.min((5 * model.cycle) >> 2, (counts.length + 6) << 3);
  model.left = model.cycle;
}

function balance(model: BitModel): void {
  model.total += model.cycle;
  if (model.total > 1 << bitShift) {
    model.total = (model.total + 1) >>> 1;
    model.zeros = (model.zeros + 1) >>> 1;
    if (model.zeros === model.total) model.total++;
  }
  model.share = Math.floor((model.zeros * Math.floor(0x8000_0000 / model.total)) / 2 ** (31 - bitShift));
  model.cycle = Math.min((5 * model.cycle) >> 2, maxBitCycle);
  model.left = model.cycle;
}

/** Behind the end of the bytes it reads zeros. */
export function openArithmeticDecoder(bytes: Uint8Array): ArithmeticDecoder {
  let at = 0;
  const next = () => bytes[at++] ?? 0;
  let length = 0xffff_ffff;
  let value = ((next() << 24) | (next() << 16) | (next() << 8) | next()) >>> 0;
  const renew = () => {
    while (length < minLength) {
      value = ((value << 8) | next()) >>> 0;
      length = (length << 8) >>> 0;
    }
  };
  const plain = (count: number): number => {
    length >>>= count;
    const read = Math.min(2 ** count - 1, Math.floor(value / length));
    value = (value - length * read) >>> 0;
    renew();
    return read;
  };
  return {
    bit(model) {
      const border = (model.share * (length >>> bitShift)) >>> 0;
      const bit = value >= border ? 1 : 0;
      if (bit === 0) {
        length = border;
        model.zeros++;
      } else {
        value -= border;
        length -= border;
      }
      renew();
      if (--model.left === 0) balance(model);
      return bit;
    },
    symbol(model) {
      const { counts, shares } = model;
      const whole = length;
      length >>>= symbolShift;
      const share = Math.floor(value / length);
      let [low, high] = [0, counts.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (shares[middle]! > share) high = middle;
        else low = middle;
      }
      const from = shares[low]! * length;
      const to = low === counts.length - 1 ? whole : shares[low + 1]! * length;
      value = (value - from) >>> 0;
      length = to - from;
      renew();
      counts[low]!++;
      if (--model.left === 0) spread(model);
      return low;
    },
    bits: (count) => (count <= 19 ? plain(count) : plain(16) + plain(count - 16) * 0x1_0000),
  };
}
