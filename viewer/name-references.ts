// References by name in a map configuration. It imports nothing, as the web interface uses it to rename items.

type Content = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function itemsOf(content: Content, list: string): readonly Item[] {
  const value = content[list];
  return Array.isArray(value) ? (value as unknown[]).map((item) => (isObject(item) ? item : {})) : [];
}

/** A reference by name from an item to an item of another list. */
export interface NameReference {
  readonly pointer: string;
  readonly list: string;
  readonly name: string;
  /** Resolved while the module is added: items of later modules are not found. */
  readonly isEarly?: boolean;
}

/** Returns a function that looks up a name in a list of the module; each list is read once. */
export function nameFinder(content: Content): (list: string, name: string) => boolean {
  const names = new Map<string, ReadonlySet<unknown>>();
  return (list, name) => {
    let known = names.get(list);
    if (known === undefined) {
      known = new Set(itemsOf(content, list).map((item) => item['name']));
      names.set(list, known);
    }
    return known.has(name);
  };
}

const starts = [
  ['startingMapName', 'maps'],
  ['startingViewpointName', 'viewpoints'],
  ['startingObliqueCollectionName', 'obliqueCollections'],
] as const;

type Keys = readonly (readonly [key: string, list: string])[];

/** For the items of each list: keys whose value is a name, or a list of names. */
const keysOf: Readonly<Record<string, Keys>> = {
  contentTree: [
    ['layerName', 'layers'],
    ['layerNames', 'layers'],
    ['viewpointName', 'viewpoints'],
    ['collectionName', 'obliqueCollections'],
    ['flightName', 'flights'],
    ['defaultViewpoint', 'viewpoints'],
    ['availableStyles', 'styles'],
  ],
  layers: [
    ['mapNames', 'maps'],
    ['vectorClusterGroup', 'vectorClusterGroups'],
  ],
  maps: [['fallbackMap', 'maps']],
  clippingPolygons: [['layerNames', 'layers']],
};

const keysOfProperties: Keys = [
  ['featureInfo', 'featureInfo'],
  ['defaultViewpoint', 'viewpoints'],
  ['availableStyles', 'styles'],
];

const keysOfCallbacks: Keys = [
  ['layerName', 'layers'],
  ['layerNames', 'layers'],
  ['styleName', 'styles'],
  ['mapName', 'maps'],
  ['viewpoint', 'viewpoints'],
  ['flight', 'flights'],
  ['flightName', 'flights'],
];

const keysOfSteps: Keys = [
  ['show', 'layers'],
  ['hide', 'layers'],
];

type Add = (pointer: string, list: string, name: unknown) => void;

/** All references in a module to items of the same or another module of the app. */
export function nameReferences(content: Content): NameReference[] {
  const found: NameReference[] = [];
  const add: Add = (pointer, list, name) => {
    if (typeof name === 'string') found.push({ pointer, list, name });
  };
  for (const [key, list] of starts) add(`/${key}`, list, content[key]);
  for (const [owner, keys] of Object.entries(keysOf)) {
    for (const [index, item] of itemsOf(content, owner).entries())
      addKeys(item, `/${owner}/${index}`, keys, add);
  }
  for (const [index, item] of itemsOf(content, 'contentTree').entries()) {
    for (const { callback, pointer } of callbacksOf(item, `/contentTree/${index}`)) {
      addKeys(callback, pointer, keysOfCallbacks, add);
      const { type } = callback;
      if (typeof type === 'string' && type.endsWith('ClippingPolygonCallback'))
        addKeys(callback, pointer, [['names', 'clippingPolygons']], add);
    }
    add(`/contentTree/${index}/name`, 'contentTree', parentOf(item['name']));
  }
  for (const [index, layer] of itemsOf(content, 'layers').entries()) {
    const { properties } = layer;
    if (isObject(properties)) addKeys(properties, `/layers/${index}/properties`, keysOfProperties, add);
    for (const key of ['style', 'highlightStyle']) {
      const name = layer[key];
      if (typeof name === 'string')
        found.push({ pointer: `/layers/${index}/${key}`, list: 'styles', name, isEarly: true });
    }
  }
  const { story } = content;
  for (const [index, step] of itemsOf(isObject(story) ? story : {}, 'steps').entries())
    addKeys(step, `/story/steps/${index}`, keysOfSteps, add);
  return found;
}

function addKeys(item: Item, pointer: string, keys: Keys, add: Add): void {
  for (const [key, list] of keys) {
    const value = item[key];
    if (!Array.isArray(value)) {
      // 'all' means every layer
      if (key !== 'layerNames' || value !== 'all') add(`${pointer}/${key}`, list, value);
      continue;
    }
    for (const [at, name] of value.entries()) add(`${pointer}/${key}/${at}`, list, name);
  }
}

/** The parent in the content tree, by dotted name. */
function parentOf(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const end = name.lastIndexOf('.');
  return end > 0 ? name.slice(0, end) : undefined;
}

export const callbackLists = ['onClick', 'onActivate', 'onDeactivate'] as const;

/** The callbacks of a click on an item of the content tree. */
export function callbacksOf(item: Item, pointer: string): { callback: Item; pointer: string }[] {
  return callbackLists.flatMap((key) => {
    const list = item[key];
    if (!Array.isArray(list)) return [];
    return (list as unknown[]).flatMap((callback, at) =>
      isObject(callback) ? [{ callback, pointer: `${pointer}/${key}/${at}` }] : [],
    );
  });
}
