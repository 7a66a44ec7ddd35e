import type { CardDesign, CardRow } from '@platen/contract/cards';
import { namesTitle, separateWords } from './attribute-names.ts';
import { isIdentifier, type AttributeSummary } from './style-attribute.ts';

const rowCount = 5;

const geometryName =
  /^(?:the_?)?(?:geom|geometry|geometrie|wkb|wkt|wkb_geometry|shape|shape_?(?:area|leng|length)|bbox|centroid|lat|latitude|lon|lng|long|longitude|x|y|z|easting|northing|rechtswert|hochwert)$/i;

/** The card of features that nobody has designed one for: a title, and the first attributes that tell something. */
export function defaultCard(attributes: readonly AttributeSummary[]): CardDesign {
  const title = titleAttribute(attributes)?.name;
  const candidates = attributes.filter(({ name }) => name !== title && isShown(name));
  const informative = candidates.filter((one) => !isIdentifier(one) && one.count !== 1);
  const known = informative.length > 0 ? informative : candidates;
  const chosen = [...known.filter(isCommon), ...known.filter((one) => !isCommon(one))];
  return {
    place: 'balloon',
    ...(title !== undefined && { title }),
    rows: chosen.slice(0, rowCount).map(defaultRow),
  };
}

/** What most features have comes first: a card without values says nothing. */
const isCommon = ({ completeness = 1 }: AttributeSummary): boolean => completeness >= 0.5;

const isShown = (name: string) => !geometryName.test(name) && !name.startsWith('_');

/** The one that is called so, or else a text that tells features apart. */
export function titleAttribute(attributes: readonly AttributeSummary[]): AttributeSummary | undefined {
  const texts = attributes.filter(({ type, name, values }) => {
    const isProse = values.length > 0 && values.every((value) => String(value).length > 80);
    return type === 'string' && isShown(name) && !isProse && !values.some(isAddress);
  });
  const called = texts.filter(({ name }) => namesTitle(name));
  const [exact] = called.toSorted((one, other) => one.name.length - other.name.length);
  return exact ?? texts.find((one) => one.count > 12 && !isIdentifier(one) && isCommon(one) && isWorded(one));
}

/** Numbers in brackets and times say nothing to people; a few of them, or a dash for what is not known, do no harm. */
function isWorded({ values }: AttributeSummary): boolean {
  const worded = values.filter((value) => /\p{L}/u.test(String(value)) && !isDate(String(value)));
  return worded.length > values.length / 2;
}

/** How the card shows an attribute, by its name and values. */
export function defaultRow(attribute: AttributeSummary): CardRow {
  const { name, type, values } = attribute;
  const { title, unit } = readableName(attribute.title ?? name, type === 'number');
  const head = { attribute: name, title };
  const texts = values.filter((value) => typeof value === 'string');
  const all = (test: (text: string) => boolean) => type === 'string' && texts.length > 0 && texts.every(test);
  if (all((text) => isAddress(text) && /\.(?:jpe?g|png|webp|gif|avif)(?:[?#]|$)/i.test(text)))
    return { type: 'picture', ...head, ...hostOf(texts) };
  if (all(isAddress)) return { type: 'link', ...head };
  if (all(isDate)) return { type: 'date', ...head };
  return { type: 'text', ...head, ...(unit !== undefined && { unit }) };
}

const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:.*)?$/.test(text);

const isAddress = (value: unknown) => /^(?:https?:\/\/|www\.)\S+$/i.test(String(value));

/** The server that all pictures are from. */
function hostOf(addresses: readonly string[]): { host?: string } {
  const [host, ...others] = new Set(addresses.map((address) => /^https?:\/\/[^/?#\s]+/i.exec(address)?.[0]));
  return host !== undefined && others.length === 0 ? { host } : {};
}

const units: Readonly<Record<string, string>> = {
  m: 'm',
  km: 'km',
  cm: 'cm',
  mm: 'mm',
  m2: 'm²',
  qm: 'm²',
  km2: 'km²',
  ha: 'ha',
  m3: 'm³',
  kg: 'kg',
  kw: 'kW',
  kwh: 'kWh',
  mwh: 'MWh',
  pct: '%',
  percent: '%',
  eur: '€',
};

/** `area_km2` → “Area” in km², `BUILT_YEAR` → “Built year”, `address.street` → “Street”. */
export function readableName(name: string, isNumeric: boolean): { title: string; unit?: string } {
  const words = separateWords(name.slice(name.lastIndexOf('.') + 1) || name)
    .split(/[_\s-]+/)
    .filter((word) => word !== '')
    // capitals alone are a habit of old formats, except for short ones, which are abbreviations
    .map((word) => (/^[\p{Lu}\d]{5,}$/u.test(word) ? word.toLowerCase() : word));
  const unit = isNumeric && words.length > 1 ? units[words.at(-1)!.toLowerCase()] : undefined;
  if (unit !== undefined) words.pop();
  const [first = name, ...rest] = words;
  const lower = rest.map((word) =>
    /^\p{Lu}\p{Ll}+$/u.test(word) && /[a-z]\p{Lu}/u.test(name) ? word.toLowerCase() : word,
  );
  const text = [first, ...lower].join(' ');
  return { title: text.slice(0, 1).toUpperCase() + text.slice(1), ...(unit !== undefined && { unit }) };
}
