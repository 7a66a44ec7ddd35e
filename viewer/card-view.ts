import type { CardDesign, CardRow } from '@platen/contract/cards';

type Json = Readonly<Record<string, unknown>>;

const key = 'card';
const valueTag = '${value}';

/**
 * A feature info view of VC Map. Its properties keep the design that it is made from: other programs with VC Map show the
 * attributes with their titles, the page of an app shows them as designed (see cards.ts).
 * @param before a view whose other options stay, such as its name
 */
export function cardView(design: CardDesign, before: Json = {}): Json {
  const others = Object.fromEntries(Object.entries(before).filter(([name]) => !made.has(name)));
  const properties = isObject(others['properties']) ? others['properties'] : {};
  return {
    ...others,
    type: design.place === 'balloon' ? 'BalloonFeatureInfoView' : 'TableFeatureInfoView',
    ...optionsOf(design),
    properties: { ...properties, [key]: design },
  };
}

/** The options that a design decides. */
const made = new Set([
  'type',
  'attributeKeys',
  'keyMapping',
  'valueMapping',
  'removeNoDataAttributes',
  'tags',
  'balloonTitle',
  'balloonSubtitle',
  'window',
  'itemsPerPage',
  'itemsPerPageArray',
  'showSearchbar',
]);

/** The design that a view is made from; undefined if its options were changed since, or if there is none. */
export function cardDesignOf(view: unknown): CardDesign | undefined {
  if (!isObject(view) || !isObject(view['properties'])) return undefined;
  const design = view['properties'][key];
  return isObject(design) && isUnchanged(view, design) ? (design as unknown as CardDesign) : undefined;
}

/** What other clients have written into the properties may be anything: from that nothing can be made. */
function isUnchanged(view: Json, design: Json): boolean {
  try {
    const again: Json = { ...cardView(design as CardDesign) };
    return [...made].every((name) => isSame(again[name], view[name]));
  } catch {
    return false;
  }
}

function optionsOf(design: CardDesign): Json {
  const { title, subtitle, rows, showsEmpty = false } = design;
  const shown = rows.map(({ attribute }) => attribute);
  const further = [title, subtitle].filter((name) => name !== undefined && name !== '');
  const titles = titlesOf(rows);
  const nameOf = (attribute: string) => titles.get(attribute) ?? attribute;
  const common = {
    attributeKeys: [...new Set([...shown, ...(further as string[])])],
    keyMapping: Object.fromEntries(titles),
    ...(!showsEmpty && { removeNoDataAttributes: true }),
    ...tagsOf(rows),
  };
  if (design.place === 'balloon')
    return {
      ...common,
      ...(title && { balloonTitle: nameOf(title) }),
      // otherwise the map viewer shows the id of the feature
      balloonSubtitle: subtitle ? nameOf(subtitle) : '',
    };
  return {
    ...common,
    ...(title && { window: { state: { headerTitle: `{{["get",${textOf(nameOf(title))}]}}` } } }),
    itemsPerPage: 100,
    itemsPerPageArray: [100],
    showSearchbar: false,
  };
}

/** As JSON without what ends a template. */
const textOf = (text: string) => JSON.stringify(text).replaceAll('}', String.raw`\u007d`);

/** Titles with units. The map viewer uses titles as keys: what another row has already gets the name of its attribute. */
function titlesOf(rows: readonly CardRow[]): Map<string, string> {
  const names = new Set(rows.map(({ attribute }) => attribute));
  const titles = new Map<string, string>();
  const taken = new Set<string>();
  for (const row of rows) {
    const unit = row.type === 'text' && row.unit ? ` (${row.unit})` : '';
    const title = `${row.title || row.attribute}${unit}`;
    const isFree = !taken.has(title) && (title === row.attribute || !names.has(title));
    titles.set(row.attribute, isFree ? title : `${title} (${row.attribute})`);
    taken.add(titles.get(row.attribute)!);
  }
  return titles;
}

function tagsOf(rows: readonly CardRow[]): { readonly tags?: Json } {
  const tags = rows.flatMap((row): [string, Json][] => {
    if (row.type !== 'link' && row.type !== 'picture') return [];
    const address = `${row.prefix ?? ''}${valueTag}`;
    const tag =
      row.type === 'link'
        ? { tag: 'a', href: address, target: '_blank', rel: 'noopener noreferrer' }
        : { tag: 'img', src: address, alt: row.title || row.attribute };
    return [[row.attribute, tag]];
  });
  return tags.length === 0 ? {} : { tags: Object.fromEntries(tags) };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
