import { isObject } from '../../ui/is-object.ts';
import type { Item } from './content.ts';

/** A row of a legend, as VC Map reads it from `properties.legend`. */
export interface ShownRow {
  /** The number of the legend item, and that of the row in it. */
  readonly at: readonly [item: number, row: number];
  readonly title: string;
  /** A colour of CSS; undefined: the row has a picture or a pattern. */
  readonly colour: string | undefined;
  readonly picture: string | undefined;
}

const rowsOf = (item: unknown): readonly Item[] | undefined => {
  if (!isObject(item) || item['type'] !== 'StyleLegendItem' || !Array.isArray(item['rows'])) return undefined;
  const rows = item['rows'] as unknown[];
  return rows.every((row) => isObject(row) && typeof row['title'] === 'string')
    ? (rows as Item[])
    : undefined;
};

/** Whether a legend consists of rows with titles alone. */
export const hasTitledRows = (legend: unknown): boolean =>
  Array.isArray(legend) && legend.length > 0 && legend.every((item) => rowsOf(item) !== undefined);

export function legendRows(legend: unknown): ShownRow[] {
  if (!Array.isArray(legend)) return [];
  return legend.flatMap((item, number) =>
    (rowsOf(item) ?? []).map((row, index) => ({
      at: [number, index] as const,
      title: String(row['title']),
      colour: colourOf(row['fill']) ?? colourOf(row['stroke']) ?? colourOf(pictureOf(row)['fill']),
      picture: typeof pictureOf(row)['src'] === 'string' ? String(pictureOf(row)['src']) : undefined,
    })),
  );
}

const pictureOf = ({ image }: Item): Item => (isObject(image) ? image : {});

/** A colour of CSS for one that may be a list of red, green, blue and opacity. */
function colourOf(drawn: unknown): string | undefined {
  const colour = isObject(drawn) ? drawn['color'] : undefined;
  if (Array.isArray(colour)) return `rgba(${colour.map(Number).join(', ')})`;
  return typeof colour === 'string' ? colour : undefined;
}

/** The legend with another title of a row. */
export function renameLegendRow(legend: unknown, [number, index]: ShownRow['at'], title: string): Item[] {
  const items = legend as readonly Item[];
  const rows = rowsOf(items[number])!;
  return items.with(number, {
    ...items[number],
    rows: rows.with(index, { ...rows[index]!, title }),
  });
}
