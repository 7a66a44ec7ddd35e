// Keeps the end of a long name visible: similar names differ there, and it holds the extension.

const shortest = 18;
const endLength = 10;
const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Splits between user-perceived characters, so that no emoji is cut in two. */
function split(name: string): readonly [string, string] {
  if (name.length <= shortest) return [name, ''];
  const characters = [...segments.segment(name)].map(({ segment }) => segment);
  if (characters.length <= shortest) return [name, ''];
  return [characters.slice(0, -endLength).join(''), characters.slice(-endLength).join('')];
}

export const startOf = (name: string): string => split(name)[0];
export const endOf = (name: string): string => split(name)[1];
