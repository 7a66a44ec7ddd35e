/** Keys that say what happened rather than where. */
const others = new Set(['reason', 'message', 'code', 'isPartOfGeometry']);
/** Keys whose values are shown without the key. */
const plain = new Set(['file', 'layer']);

/** The place of a warning in one line: “trees.csv, line 3, feature 12: it has no geometry”. `nameOf` translates keys. */
export function placeOf(example: Readonly<Record<string, unknown>>, nameOf: (key: string) => string): string {
  const { file, reason, message } = example;
  const parts = Object.entries(example)
    .filter(([key]) => !others.has(key))
    // most layers are named after their files
    .filter(([key, value]) => key !== 'layer' || !String(file).startsWith(`${String(value)}.`))
    .map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return plain.has(key) ? text : `${nameOf(key)} ${text}`;
    });
  const why = reason ?? message;
  return typeof why === 'string' ? `${parts.join(', ')}: ${why}` : parts.join(', ');
}
