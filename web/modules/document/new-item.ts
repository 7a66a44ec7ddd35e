import { viewpointOf } from '../../map/viewpoint.ts';
import { isObject } from '../../ui/is-object.ts';
import { insertItem, itemsOf, textOf, uniqueName, type Content, type Item } from './content.ts';

const signal = '#c2410c';

/** Initial values of new items, by list. */
const beginnings: Readonly<Record<string, Item>> = {
  styles: {
    type: 'VectorStyleItem',
    fill: { color: 'rgba(194, 65, 12, 0.3)' },
    stroke: { color: signal, width: 2 },
    image: { radius: 6, fill: { color: signal }, stroke: { color: '#ffffff', width: 1 } },
  },
  obliqueCollections: { type: 'ObliqueCollection', dataSets: [] },
  flights: { anchors: [] },
  clippingPolygons: {
    coordinates: [
      [13, 52],
      [13.1, 52],
      [13.1, 52.1],
    ],
  },
  vectorClusterGroups: { clusterDistance: 100 },
  i18n: { de: {}, en: {} },
  categories: { items: [] },
  uiConfig: { value: '' },
};

/** The colour of the base layer's water, until its tiles have loaded. */
const calmGlobe: Item = { globeColor: '#b8d2dc', enableLightning: false };

const firstName: Readonly<Record<string, string>> = {
  styles: 'style',
  viewpoints: 'viewpoint',
  featureInfo: 'info',
  plugins: '@vcmap/plugin',
  i18n: 'texts',
  obliqueCollections: 'oblique',
  flights: 'flight',
  clippingPolygons: 'polygon',
  vectorClusterGroups: 'clusters',
  categories: 'category',
  uiConfig: 'setting',
  contentTree: 'item',
};

/** `GeoJSONLayer` → `geojson`. */
const nameOfType = (type: string) =>
  type.replace(/(Layer|Map|FeatureInfoView|ContentTreeItem|Item)$/, '').toLowerCase() || 'item';

/** Appends a new item to a list of the module. */
export function addItem(content: Content, list: string, { type, ...more }: Item = {}): Content {
  if (list === 'hiddenObjects') return insertItem(content, list, { id: uniqueName('id', idsOf(content)) });
  const baseName = textOf(more['name']) ?? firstName[list] ?? nameOfType(textOf(type) ?? '');
  const name = uniqueName(
    baseName,
    itemsOf(content, list).map((item) => item['name']),
  );
  const first = { ...(type !== undefined && { type }), name };
  const calm = type === 'CesiumMap' ? calmGlobe : {};
  return insertItem(content, list, { ...first, ...beginnings[list], ...calm, ...more, ...first });
}

const idsOf = (content: Content) => itemsOf(content, 'hiddenObjects').map(({ id }) => id);

interface DatasourceDescription {
  readonly name: string;
  readonly bbox?: readonly number[] | undefined;
}

/** A globe and a flat map. */
const calmMaps: readonly Item[] = [
  { type: 'CesiumMap', name: 'globe', ...calmGlobe },
  { type: 'OpenlayersMap', name: 'flat' },
];

const obliqueMap: Item = { type: 'ObliqueMap', name: 'oblique' };

/** Adds the maps that modules have by default, unless there is one. */
export function withMaps(content: Content): Content {
  if (itemsOf(content, 'maps').length > 0) return content;
  const oblique = itemsOf(content, 'obliqueCollections').length > 0;
  const maps = { ...content, maps: oblique ? [...calmMaps, obliqueMap] : calmMaps };
  return content['startingMapName'] === undefined ? { ...maps, startingMapName: 'globe' } : maps;
}

/** Adds oblique images of a datasource, an item in the content tree, and a starting viewpoint if there is none. */
export function addCollection(
  content: Content,
  config: Item,
  { name: title, bbox }: DatasourceDescription,
): Content {
  const added = addItem(content, 'obliqueCollections', config);
  const collectionName = itemsOf(added, 'obliqueCollections').at(-1)!['name'] as string;
  const type = 'ObliqueCollectionContentTreeItem';
  const inTree = { type, name: segmentOf(collectionName), title, collectionName };
  return withStart(addItem(added, 'contentTree', inTree), bbox);
}

/** Layers of features, which lie above images wherever these were added. */
const featureLayers = new Set<unknown>(['VectorTileLayer', 'GeoJSONLayer', 'FlatGeobufLayer']);

/**
 * Adds the layers of a datasource, features above what there is, as one item in the content tree, and a starting viewpoint if
 * there is none.
 */
export function addDatasource(
  content: Content,
  layers: readonly Item[],
  { name: title, bbox }: DatasourceDescription,
): Content {
  const orders = itemsOf(content, 'layers').map(({ zIndex }) => Number(zIndex ?? 0));
  const isOrdered =
    featureLayers.has(layers[0]?.['type']) && (layers.length > 1 || orders.some((order) => order !== 0));
  const lowest = Math.max(0, ...orders) + 1;
  const added = layers.reduce(
    (before, layer, index) =>
      addItem(before, 'layers', {
        ...layer,
        activeOnStartup: true,
        ...(isOrdered && { zIndex: lowest + index }),
        properties: { ...(isObject(layer['properties']) && layer['properties']), title },
      }),
    content,
  );
  const layerNames = itemsOf(added, 'layers')
    .slice(-layers.length)
    .map(({ name }) => String(name));
  const item = { name: segmentOf(layerNames.at(-1)!), title };
  const inTree =
    layerNames.length > 1
      ? { type: 'LayerGroupContentTreeItem', ...item, layerNames }
      : { type: 'LayerContentTreeItem', ...item, layerName: layerNames[0] };
  return withStart(addItem(added, 'contentTree', inTree), bbox);
}

/** A name without dots, which would make it a child. */
const segmentOf = (name: string) => name.replaceAll('.', '-');

function withStart(content: Content, bbox: readonly number[] | undefined): Content {
  if (!bbox || itemsOf(content, 'viewpoints').length > 0 || content['startingViewpointName']) return content;
  return {
    ...addItem(content, 'viewpoints', { ...viewpointOf(bbox), name: 'start' }),
    startingViewpointName: 'start',
  };
}
