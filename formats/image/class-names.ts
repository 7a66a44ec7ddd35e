import { decodeEntities } from '../xml/decode-entities.ts';

const maxClasses = 4096;
const maxNameLength = 200;
/** GDALRATFieldUsage: name, minimum, minimum and maximum. */
const usage = { name: '2', least: ['3', '5'] } as const;

/**
 * What the numbers of the first band of an image mean, by a PAM file (GDAL's PAMDataset): its category names, or its attribute
 * table if that has a column of values and one of names.
 */
export function parseClassNames(text: string): Map<number, string> {
  const band = /<PAMRasterBand\b[^<>]*\bband="1"[^<>]*>([^]*?)<\/PAMRasterBand>/.exec(text)?.[1] ?? '';
  const names = namesOfCategories(band);
  return names.size > 0 ? names : namesOfTable(band);
}

function namesOfCategories(band: string): Map<number, string> {
  const list = /<CategoryNames>([^]*?)<\/CategoryNames>/.exec(band)?.[1] ?? '';
  const names = new Map<number, string>();
  let value = 0;
  for (const [, name = ''] of list.matchAll(/<Category(?:\/>|>([^<]*)<\/Category>)/g)) {
    add(names, value++, name);
    if (value > maxClasses) break;
  }
  return names;
}

function namesOfTable(band: string): Map<number, string> {
  const table = /<GDALRasterAttributeTable\b[^<>]*>([^]*?)<\/GDALRasterAttributeTable>/.exec(band)?.[1] ?? '';
  const usages = Array.from(
    table.matchAll(/<FieldDefn\b[^<>]*>[^]*?<Usage>([^<]*)<\/Usage>[^]*?<\/FieldDefn>/g),
    ([, one]) => one!.trim(),
  );
  const [valueAt, nameAt] = [usages.findIndex((one) => isOneOf(one)), usages.indexOf(usage.name)];
  const names = new Map<number, string>();
  if (valueAt < 0 || nameAt < 0) return names;
  for (const [, row = ''] of table.matchAll(/<Row\b[^<>]*>([^]*?)<\/Row>/g)) {
    const fields = Array.from(row.matchAll(/<F(?:\/>|>([^<]*)<\/F>)/g), ([, field = '']) => field);
    const value = Number(fields[valueAt]);
    if (Number.isFinite(value)) add(names, value, fields[nameAt] ?? '');
    if (names.size > maxClasses) break;
  }
  return names;
}

const isOneOf = (one: string): boolean => usage.least.some((known) => known === one);

function add(names: Map<number, string>, value: number, escaped: string): void {
  const decoding = decodeEntities(escaped);
  const name = ('text' in decoding ? decoding.text : escaped).trim().slice(0, maxNameLength);
  if (name !== '') names.set(value, name);
}
