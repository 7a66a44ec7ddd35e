/** Numbers from 0 up to but without 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Simulates files that were truncated, overwritten, wrongly joined or crafted as an attack. */
export function mutate(original: Buffer, seed: number): Buffer {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  let bytes: Buffer = Buffer.from(original);
  // Half of them only have other words: what can still be parsed gets deeper into the program.
  const onlyWords = below(2) === 0;
  for (let left = 1 + below(4); left > 0 && bytes.length > 0; left--)
    bytes = (onlyWords ? replaceWord : mutations[below(mutations.length)]!)(bytes, below);
  return bytes;
}

type Below = (limit: number) => number;
type Mutation = (bytes: Buffer, below: Below) => Buffer;

/** False sizes and offsets. */
const lies = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
/** Unexpected texts in place of numbers, names or tags. */
const texts = [
  '0',
  '1e300',
  '-91',
  'true',
  'NaN',
  '1e999',
  '-1e300',
  '99999999999999999999',
  '0x10',
  'null',
  '""',
  '[]',
  '{}',
  '[[[[[[[[',
  '<',
  '>',
  '</a>',
  '&x;',
  '&#0;',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  ',,,,',
  '"',
  '\\u0000',
  '\r',
  '\u2028',
  '\ufeff',
  '-',
  '1 2',
] as const;

const mutations: readonly Mutation[] = [
  (bytes, below) => bytes.subarray(0, below(bytes.length)),
  (bytes, below) => bytes.subarray(below(bytes.length)),
  function flipBit(bytes, below) {
    const at = below(bytes.length);
    bytes[at] = bytes[at]! ^ (1 << below(8));
    return bytes;
  },
  function overwrite(bytes, below) {
    const at = below(bytes.length);
    for (let i = at; i < Math.min(bytes.length, at + 1 + below(8)); i++) bytes[i] = below(256);
    return bytes;
  },
  function lie(bytes, below) {
    if (bytes.length < 4) return bytes;
    const at = below(bytes.length - 3);
    const value = lies[below(lies.length)]!;
    if (below(2) === 0) bytes.writeUInt32LE(value, at);
    else bytes.writeUInt32BE(value, at);
    return bytes;
  },
  function remove(bytes, below) {
    const at = below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(64))]);
  },
  function repeat(bytes, below) {
    const at = below(bytes.length);
    const part = bytes.subarray(at, at + 1 + below(200));
    const copies: Buffer[] = Array(1 + below(20)).fill(part);
    return Buffer.concat([bytes.subarray(0, at), ...copies, bytes.subarray(at)]);
  },
  function move(bytes, below) {
    const [from, to] = [below(bytes.length), below(bytes.length)];
    const part = bytes.subarray(from, from + 1 + below(100));
    return Buffer.concat([bytes.subarray(0, to), part, bytes.subarray(to)]);
  },
  replaceWord,
];

function replaceWord(bytes: Buffer, below: Below): Buffer {
  const start = below(bytes.length);
  const found = /[\w.+-]+/.exec(bytes.toString('latin1', start, start + 200));
  if (found === null) return bytes;
  const at = start + found.index;
  const text = Buffer.from(texts[below(texts.length)]!);
  return Buffer.concat([bytes.subarray(0, at), text, bytes.subarray(at + found[0].length)]);
}
