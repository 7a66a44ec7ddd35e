// The end of a long name stays in sight: it is where names of one kind differ, and where the ending stands.

const shortest = 18;
const endLength = 10;
const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** By what people take for characters, so that no emoji is cut in two. */
function split(name: string): readonly [string, string] {
  if (name.length <= shortest) return [name, ''];
  const characters = [...segments.segment(name)].map(({ segment }) => segment);
  if (characters.length <= shortest) return [name, ''];
  return [characters.slice(0, -endLength).join(''), characters.slice(-endLength).join('')];
}

export const startOf = (name: string): string => split(name)[0];
export const endOf = (name: string): string => split(name)[1];
