const names = ['name', 'title', 'bezeichnung', 'label', 'titel'];

/** A feature's title: the field that looks like a name, else its number in the sample. */
export function titleOf(properties: Readonly<Record<string, unknown>> | null, index: number): string {
  const entries = Object.entries(properties ?? {});
  const found = names
    .flatMap((name) => entries.filter(([key]) => key.toLowerCase() === name))
    .concat(entries.filter(([key]) => /name|title|bezeichnung/i.test(key)))
    .find(([, value]) => typeof value === 'string' && value !== '');
  return found ? String(found[1]) : `#${index + 1}`;
}

/** A table cell's value, shortened. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
