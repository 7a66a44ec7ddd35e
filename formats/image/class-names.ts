import { decodeEntities } from '../xml/decode-entities.ts';

const maxClasses = 4096;
const maxNameLength = 200;
/** GDALRATFieldUsage: name, minimum, minimum and maximum. */
const usage = { name: '2', values: ['3', '5'] } as const;

/**
 * What the numbers of the first band of an image mean, by a PAM file (GDAL's PAMDataset): its category names, or its attribute
 * table if that has a column of values and one of names.
 */
export function parseClassNames(text: string): Map<number, string> {
  const [start] = /<PAMRasterBand\b[^<>]*\bband="1"[^<>]*>/.exec(text) ?? [];
  const band = start === undefined ? '' : between(text, start, '</PAMRasterBand>');
  const names = namesOfCategories(band);
  return names.size > 0 ? names : namesOfTable(band);
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
  const table = between(band, '<GDALRasterAttributeTable', '</GDALRasterAttributeTable>');
  const usages = Array.from(table.matchAll(/<Usage>([^<]*)<\/Usage>/g), ([, one]) => one!.trim());
  const [valueAt, nameAt] = [
    usages.findIndex((one) => usage.values.some((known) => known === one)),
    usages.indexOf(usage.name),
  ];
  const names = new Map<number, string>();
  if (valueAt < 0 || nameAt < 0) return names;
  for (const row of table.split('</Row>').slice(0, maxClasses)) {
    const fields = Array.from(row.matchAll(/<F(?:\/>|>([^<]*)<\/F>)/g), ([, field = '']) => field);
    const value = fields[valueAt] === undefined ? NaN : Number(fields[valueAt]);
    if (Number.isFinite(value)) add(names, value, fields[nameAt] ?? '');
  }
  return names;
}

function add(names: Map<number, string>, value: number, escaped: string): void {
  const decoding = decodeEntities(escaped);
  const name = ('text' in decoding ? decoding.text : escaped).trim().slice(0, maxNameLength);
  if (name !== '') names.set(value, name);
}
