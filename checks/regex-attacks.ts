import { parsePattern, type Piece, type Sequences } from './regex-pattern.ts';

/** A text that repeats `pump` as often as one likes. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
const alphabet = [
  ...new Set(['a', '1', ' ', ...printable, '\n', '\r', '\t', '\0', '\u0001', 'ä', '°', '\uffff']),
];
/** The end of the text, and characters that few expressions take, in one line and in the next. */
const suffixes = ['', '\u0001', '\n\u0001'];
/** More repetitions than these cost as much as any number. */
const many = 10;
/** Expressions that tell more characters apart are not attacked with all pairs of them. */
const maxPaired = 8;

/**
 * Texts made of the expression's own characters that make a backtracking engine try much: each repeats what a part of the
 * expression matches, after what comes before that part, and ends in what matches nothing.
 */
export function attacksOn({ source, flags }: RegExp): Attack[] {
  const sequences = parsePattern(source);
  const members = membersBy(sequences, flags);
  const single = representatives(members);
  const attacks = new Map<string, Attack>();
  const add = (prefix: string, pump: string) => {
    if (pump === '') return;
    for (const suffix of suffixes) attacks.set(`${prefix}\0${pump}\0${suffix}`, { prefix, pump, suffix });
  };
  for (const character of single) for (const before of ['', '\u0001']) add(before, character);
  const isSmall = single.length <= maxPaired;
  for (const one of isSmall ? single : []) for (const other of single) add('', one + other);
  for (const choose of [first, last]) {
    const sample = (pieces: readonly Piece[]) =>
      pieces.map((piece) => sampleOf(piece, members, choose)).join('');
    for (const sequence of sequences)
      for (let end = 1; end <= sequence.length; end++) add('', sample(sequence.slice(0, end)));
    const visit = (inside: Sequences, before: string): void => {
      for (const sequence of inside) {
        for (const [i, { atom, max }] of sequence.entries()) {
          const prefix = before + sample(sequence.slice(0, i));
          if (max > many) {
            for (let end = i + 1; end <= Math.min(sequence.length, i + 4); end++)
              add(prefix, sample(sequence.slice(i, end)));
            if (atom && 'character' in atom)
              for (const character of single)
                if (members.get(atom.character)!.includes(character)) add(prefix, character);
          }
          if (atom && 'group' in atom) visit(atom.group, prefix);
        }
      }
    };
    visit(sequences, '');
  }
  return [...attacks.values()];
}

type Choose = (characters: string) => string;
const first: Choose = (characters) => characters[0] ?? '';
const last: Choose = (characters) => characters.at(-1) ?? '';

/** The characters of the alphabet that each atom of the expression matches. */
function membersBy(sequences: Sequences, flags: string): Map<string, string> {
  const members = new Map<string, string>();
  const own = flags.replaceAll(/[gy]/g, '');
  const visit = (inside: Sequences): void => {
    for (const { atom } of inside.flat()) {
      if (atom && 'group' in atom) visit(atom.group);
      if (!atom || !('character' in atom) || members.has(atom.character)) continue;
      const one = new RegExp(`^(?:${atom.character})$`, own);
      const literal = one.test(atom.character) ? [atom.character] : [];
      members.set(atom.character, [...literal, ...alphabet.filter((it) => one.test(it))].join(''));
    }
  };
  visit(sequences);
  return members;
}

/** One character for each set of atoms that match the same ones. */
function representatives(members: ReadonlyMap<string, string>): string[] {
  const sets = [...members.values()];
  const characters = new Set(sets.join(''));
  const bySignature = new Map<string, string>();
  for (const character of characters) {
    const signature = sets.map((set) => (set.includes(character) ? 1 : 0)).join('');
    if (!bySignature.has(signature)) bySignature.set(signature, character);
  }
  return [...bySignature.values()];
}

/** A text that the piece matches, if what it looks at permits. */
function sampleOf({ atom, min }: Piece, members: ReadonlyMap<string, string>, choose: Choose): string {
  if (!atom) return '';
  const once =
    'character' in atom
      ? choose(members.get(atom.character)!)
      : atom.group
          .at(choose === first ? 0 : -1)!
          .map((piece) => sampleOf(piece, members, choose))
          .join('');
  return once.repeat(Math.min(Math.max(min, 1), many));
}
