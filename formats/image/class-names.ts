import { decodeEntities } from '../xml/decode-entities.ts';

const maxClasses = 4096;
const maxNameLength = 200;
/** GDALRATFieldUsage: name; minimum, minimum and maximum; red, green, blue. */
const usage = { name: ['2'], values: ['3', '5'], colours: [['6'], ['7'], ['8']] };

/**
 * What the numbers of the first band of an image mean, by a PAM file (GDAL's PAMDataset): its category names, or its attribute
 * table if that has a column of values and one of names.
 */
export function parseClassNames(text: string): Map<number, string> {
  const band = firstBandOf(text);
  const names = namesOfCategories(band);
  return names.size > 0 ? names : namesOfTable(band);
}

/** Red, green and blue, from 0 to 255, of the numbers of the first band, by the attribute table of a PAM file. */
export function parseClassColours(text: string): Map<number, ClassColour> {
  const colours = new Map<number, ClassColour>();
  for (const [value, ...fields] of rowsOf(firstBandOf(text), usage.colours)) {
    const colour = fields.map(Number) as [number, number, number];
    const isColour = fields.every((field) => field !== '') && colour.every((one) => one >= 0 && one <= 255);
    if (isColour) colours.set(value, colour);
  }
  return colours;
}

export type ClassColour = readonly [red: number, green: number, blue: number];

function firstBandOf(text: string): string {
  const [start] = /<PAMRasterBand\b[^<>]*\bband="1"[^<>]*>/.exec(text) ?? [];
  return start === undefined ? '' : between(text, start, '</PAMRasterBand>');
}

/** What follows a start, up to an end; '' if either is missing. */
function between(text: string, start: string, end: string): string {
  const at = text.indexOf(start);
  const to = at < 0 ? -1 : text.indexOf(end, at);
  return to < 0 ? '' : text.slice(at + start.length, to);
}

function namesOfCategories(band: string): Map<number, string> {
  const list = between(band, '<CategoryNames>', '</CategoryNames>');
  const names = new Map<number, string>();
  let value = 0;
  for (const [, name = ''] of list.matchAll(/<Category(?:\/>|>([^<]*)<\/Category>)/g)) {
    add(names, value++, name);
    if (value > maxClasses) break;
  }
  return names;
}

function namesOfTable(band: string): Map<number, string> {
  const names = new Map<number, string>();
  for (const [value, name] of rowsOf(band, [usage.name])) add(names, value, name!);
  return names;
}

/** The rows of an attribute table that have a number, with the fields of columns by their usage; none if a column is missing. */
function* rowsOf(
  band: string,
  wanted: readonly (readonly string[])[],
): Generator<readonly [value: number, ...fields: string[]]> {
  const table = between(band, '<GDALRasterAttributeTable', '</GDALRasterAttributeTable>');
  const usages = Array.from(table.matchAll(/<Usage>([^<]*)<\/Usage>/g), ([, one]) => one!.trim());
  const columns = [usage.values, ...wanted].map((known) => usages.findIndex((one) => known.includes(one)));
  if (columns.includes(-1)) return;
  for (const row of table.split('</Row>').slice(0, maxClasses)) {
    const all = Array.from(row.matchAll(/<F(?:\/>|>([^<]*)<\/F>)/g), ([, field = '']) => field);
    const [value, ...fields] = columns.map((column) => all[column] ?? '') as [string, ...string[]];
    if (value !== '' && Number.isFinite(Number(value))) yield [Number(value), ...fields];
  }
}

function add(names: Map<number, string>, value: number, escaped: string): void {
  const decoding = decodeEntities(escaped);
  const name = ('text' in decoding ? decoding.text : escaped).trim().slice(0, maxNameLength);
  if (name !== '') names.set(value, name);
}
