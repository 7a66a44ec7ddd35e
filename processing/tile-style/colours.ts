/**
 * Distinct, also for most who see fewer colours. Their luminance is between 0.156 and 0.17, so that they stand out from light
 * and from dark base maps by 3 : 1.
 */
const palette = ['#2f74b5', '#bd4f0c', '#2a8045', '#a84f9f', '#8a6d00', '#666bb8', '#c4443f', '#0f7d80'];

/** Colours that people expect for some names. */
const expected: readonly (readonly [RegExp, string])[] = [
  [/water|river|lake|ocean|sea(?![a-z])|stream|waterway/i, '#1b75bb'],
  [/forest|wood|park|green|grass|natural|vegetation|landuse|trees?(?![a-z])/i, '#4d7f2a'],
  [/building|house/i, '#a0623c'],
  [/road|street|highway|transport|path/i, '#b3570c'],
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
