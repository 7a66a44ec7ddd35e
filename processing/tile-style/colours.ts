/** Distinct on light and on dark ground, also for most who see fewer colours. */
const palette = ['#4c86b8', '#e08a3c', '#5a9e6f', '#b5609f', '#cfaa2e', '#6a6fc0', '#cc5a58', '#2f9c9c'];

/** Colours that people expect for some names. */
const expected: readonly (readonly [RegExp, string])[] = [
  [/water|river|lake|ocean|sea(?![a-z])|stream|waterway/i, '#4c9bd0'],
  [/forest|wood|park|green|grass|natural|vegetation|landuse|trees?(?![a-z])/i, '#6fae64'],
  [/building|house/i, '#c08a6a'],
  [/road|street|highway|transport|path/i, '#e0913c'],
];

/** A colour for each name, as `#rrggbb`: the expected one, else the next that no other has. */
export function coloursOf(names: readonly string[]): string[] {
  const used = new Set<string>();
  const claimed = names.map((name) => {
    const colour = expected.find(([pattern]) => pattern.test(name))?.[1];
    if (colour === undefined || used.has(colour)) return undefined;
    used.add(colour);
    return colour;
  });
  let next = 0;
  return claimed.map((colour) => colour ?? palette[next++ % palette.length]!);
}
