import { readableName } from './default-card.ts';
import type { LegendRow } from './legend.ts';
import type { AttributeSummary } from './style-attribute.ts';

/** What people call an attribute, with its unit: its title, or else readable words for its name. */
export function attributeHeading({
  name,
  type,
  title,
  unit,
}: Pick<AttributeSummary, 'name' | 'title' | 'unit'> & { readonly type?: AttributeSummary['type'] }): string {
  const read = readableName(name, type === 'number');
  const measured = unit ?? (title === undefined ? read.unit : undefined);
  return measured === undefined ? (title ?? read.title) : `${title ?? read.title} (${measured})`;
}

interface Follows {
  readonly attribute: string;
  readonly heading?: string;
}

/**
 * Rows below the name of the attribute that they follow, unless the rule has an empty one.
 * @param attributes what is known of them; undefined: only what the rule calls it is its name
 */
export function withHeading(
  rows: readonly LegendRow[],
  { attribute, heading }: Follows,
  attributes: readonly AttributeSummary[] | undefined,
): LegendRow[] {
  const known = attributes && (attributes.find(({ name }) => name === attribute) ?? { name: attribute });
  const title = heading ?? (known && attributeHeading(known)) ?? '';
  return title === '' || rows.length === 0 ? [...rows] : [headingRow(title), ...rows];
}

/**
 * Viewers have no rows without a sample. Of this one nothing is seen, neither on a page nor in print, where it is white;
 * pages of Platen give its room to the title.
 */
const headingRow = (title: string): LegendRow => ({
  type: 'FillLegendRow',
  title,
  fill: { color: [255, 255, 255, 0] },
});
