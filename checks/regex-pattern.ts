/** A regular expression as alternatives of sequences, as far as attacks on it need to know. */
export type Sequences = readonly (readonly Piece[])[];

export interface Piece {
  /** The source of one character, such as `x`, `\d` or `[^"]`; a group; or nothing, for what only looks. */
  readonly atom: { readonly character: string } | { readonly group: Sequences } | undefined;
  readonly min: number;
  readonly max: number;
}

/** Reads the pattern of a regular expression that the engine has accepted already. */
export function parsePattern(pattern: string): Sequences {
  let at = 0;

  function alternatives(): Piece[][] {
    const sequences: Piece[][] = [[]];
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        sequences.push([]);
        at++;
      } else {
        const atom = readAtom();
        sequences.at(-1)!.push({ atom, ...readQuantifier() });
      }
    }
    return sequences;
  }

  function readAtom(): Piece['atom'] {
    const rest = pattern.slice(at);
    const open = /^\((?:\?(?:<?[=!]|:|<\w+>))?/.exec(rest)?.[0];
    if (open !== undefined) {
      at += open.length;
      const group = alternatives();
      at++;
      return /[!=]$/.test(open) ? undefined : { group };
    }
    if (/^(?:[\^$]|\\[bB])/.test(rest)) return skip(rest.startsWith('\\') ? 2 : 1);
    const reference = /^\\(?:[1-9]|k<\w+>)/.exec(rest)?.[0];
    if (reference !== undefined) return skip(reference.length);
    const character =
      /^(?:\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\c[a-z]|\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^])/iu.exec(
        rest,
      )![0];
    at += character.length;
    return { character };
  }

  function skip(length: number): undefined {
    at += length;
  }

  function readQuantifier(): { min: number; max: number } {
    const [whole, sign, min, comma, max] =
      /^(?:([*+?])|\{(\d+)(,)?(\d+)?\})\??/.exec(pattern.slice(at)) ?? [];
    if (whole === undefined) return { min: 1, max: 1 };
    at += whole.length;
    if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    return { min: Number(min), max: comma === undefined ? Number(min) : Number(max ?? Infinity) };
  }

  return alternatives();
}
