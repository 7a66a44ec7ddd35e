/** A readable label for a name in code: `dropDensest` becomes “Drop densest”. */
export function humanize(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(
      /([a-z0-9])([A-Z])/g,
      (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
    );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface OptionTexts {
  /** The text about all options together. */
  readonly intro: string;
  /** The text about each option, by its name. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Splits a help text that explains each option after its name and a colon: “a: this. b: that.” */
export function splitOptions(description: string, options: readonly string[]): OptionTexts {
  const places = options
    .map((name) => ({ name, at: startOf(description, name) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  const texts = places.map(({ name, at }, index) => {
    const text = description.slice(at + name.length + 1, places[index + 1]?.at).trim();
    return [name, text.charAt(0).toUpperCase() + text.slice(1)] as const;
  });
  return { intro: description.slice(0, places[0]?.at).trim(), texts: Object.fromEntries(texts) };
}

function startOf(description: string, name: string): number {
  if (description.startsWith(`${name}:`)) return 0;
  const at = description.indexOf(` ${name}:`);
  return at === -1 ? -1 : at + 1;
}
