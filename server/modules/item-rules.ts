import type { Item, Reports } from './validate.ts';

type Rule = (item: Item, pointer: string, reports: Reports) => void;

/** What an item of each list must have to work, beyond its name and type. */
export const itemRules: Readonly<Record<string, Rule>> = {
  layers: checkLayer,
  maps: (map, pointer, { error }) => {
    if (map['projection'] !== undefined && !isObject(map['projection']))
      error(`${pointer}/projection`, 'type', 'It must be an object.');
  },
  viewpoints: checkViewpoint,
  obliqueCollections: checkObliqueCollection,
  plugins: (plugin, pointer, { error, warning }) => {
    const { entry } = plugin;
    if (entry === undefined) warning(pointer, 'noEntry', 'Without `entry` the map viewer loads no plugin.');
    else if (typeof entry !== 'string') error(`${pointer}/entry`, 'type', 'It must be text.');
  },
  uiConfig: (setting, pointer, { warning }) => {
    if (!('value' in setting)) warning(pointer, 'noValue', 'A setting without `value` has no effect.');
  },
  categories: (category, pointer, { error }) => {
    const { items } = category;
    if (!Array.isArray(items) || !items.every(isObject))
      error(`${pointer}/items`, 'type', 'It must be an array of objects.');
  },
  hiddenObjects: ({ id }, pointer, { error }) => {
    if ((typeof id !== 'string' || id === '') && !Number.isFinite(id))
      error(`${pointer}/id`, 'required', 'It needs the id of the object to hide.');
  },
  clippingPolygons: ({ coordinates }, pointer, { error }) => {
    if (!Array.isArray(coordinates)) error(`${pointer}/coordinates`, 'required', 'It needs coordinates.');
  },
  i18n: (item, pointer, { error }) => {
    for (const [key, value] of Object.entries(item)) {
      if (/^[a-z]{2}$/.test(key) && !isObject(value))
        error(`${pointer}/${key}`, 'type', 'The texts of a language must be an object.');
    }
  },
};

/** Types that show nothing without an address of their data. */
const needsSource = new Set([
  'CesiumTilesetLayer',
  'COGLayer',
  'CzmlLayer',
  'FlatGeobufLayer',
  'I3SLayer',
  'MapboxStyleLayer',
  'PanoramaDatasetLayer',
  'PointCloudLayer',
  'SingleImageLayer',
  'TMSLayer',
  'TerrainLayer',
  'WFSLayer',
  'WMSLayer',
  'WMTSLayer',
]);

function checkLayer(layer: Item, pointer: string, reports: Reports): void {
  const { error, warning } = reports;
  const { type, url, extent, tileProvider } = layer;
  checkUrl(url, `${pointer}/url`, reports);
  if (extent !== undefined) checkExtent(extent, `${pointer}/extent`, reports);
  if (tileProvider !== undefined && !isObject(tileProvider))
    error(`${pointer}/tileProvider`, 'type', 'It must be an object.');
  if (isObject(tileProvider)) {
    checkUrl(tileProvider['url'], `${pointer}/tileProvider/url`, reports);
    if (typeof tileProvider['type'] !== 'string')
      error(`${pointer}/tileProvider/type`, 'required', 'A tile provider needs a type.');
  }
  const { properties } = layer;
  if (properties !== undefined && !isObject(properties))
    error(`${pointer}/properties`, 'type', 'It must be an object.');
  if (typeof type !== 'string') return;
  if (needsSource.has(type) && url === undefined && layer['datasourceId'] === undefined)
    warning(pointer, 'noSource', `A ${type} without url and datasourceId shows nothing.`);
  if (type === 'VectorTileLayer' && tileProvider === undefined)
    warning(pointer, 'noSource', 'A VectorTileLayer without tileProvider shows nothing.');
  if (type === 'WMTSLayer' && extent === undefined)
    warning(pointer, 'noExtent', 'A WMTSLayer without extent does not show on the 3D globe.');
  if (type === 'OpenStreetMapLayer')
    warning(
      pointer,
      'foreignHost',
      'An OpenStreetMapLayer asks tile.openstreetmap.org, whatever its url says.',
    );
}

function checkUrl(url: unknown, pointer: string, { error }: Reports): void {
  if (url === undefined || typeof url === 'string') return;
  const byLocale = isObject(url) && Object.values(url).every((text) => typeof text === 'string');
  if (!byLocale) error(pointer, 'type', 'It must be text, or an object with a text for each language.');
}

function checkExtent(extent: unknown, pointer: string, { error }: Reports): void {
  const coordinates = isObject(extent) ? extent['coordinates'] : undefined;
  if (!isPosition(coordinates, 4) || (coordinates as unknown[]).length !== 4)
    error(`${pointer}/coordinates`, 'type', 'An extent has four numbers: minx, miny, maxx, maxy.');
}

function checkViewpoint(viewpoint: Item, pointer: string, { error }: Reports): void {
  const { groundPosition, cameraPosition, distance, extent } = viewpoint;
  for (const angle of ['heading', 'pitch', 'roll']) {
    if (viewpoint[angle] !== undefined && !Number.isFinite(viewpoint[angle]))
      error(`${pointer}/${angle}`, 'type', 'It must be a number of degrees.');
  }
  const given = (value: unknown) => value !== undefined && value !== null;
  if (given(cameraPosition) && !isWgs84(cameraPosition, 3))
    error(`${pointer}/cameraPosition`, 'type', 'It has longitude, latitude and height in WGS 84.');
  if (given(groundPosition) && !isWgs84(groundPosition, 2))
    error(`${pointer}/groundPosition`, 'type', 'It has longitude, latitude, perhaps height, in WGS 84.');
  if (given(distance) && !Number.isFinite(distance))
    error(`${pointer}/distance`, 'type', 'It must be a number of metres.');
  const complete = given(cameraPosition) || (given(groundPosition) && given(distance)) || given(extent);
  if (!complete)
    error(pointer, 'incomplete', 'A viewpoint needs cameraPosition, or groundPosition and distance.');
}

function checkObliqueCollection(collection: Item, pointer: string, { error }: Reports): void {
  const { dataSets, datasourceId } = collection;
  if (dataSets === undefined) {
    if (datasourceId === undefined)
      error(`${pointer}/dataSets`, 'required', 'It needs dataSets with a url, or a datasourceId.');
    return;
  }
  if (!Array.isArray(dataSets)) return error(`${pointer}/dataSets`, 'type', 'It must be an array.');
  for (const [index, dataSet] of (dataSets as unknown[]).entries()) {
    const sourced =
      isObject(dataSet) &&
      (typeof dataSet['url'] === 'string' ||
        (dataSet['url'] === undefined && (dataSet['datasourceId'] ?? datasourceId) !== undefined));
    if (!sourced) error(`${pointer}/dataSets/${index}/url`, 'required', 'It needs the url of an image.json.');
  }
}

function isObject(value: unknown): value is Item {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isPosition(value: unknown, length: number): value is readonly number[] {
  return Array.isArray(value) && value.length >= length && value.every((part) => Number.isFinite(part));
}

function isWgs84(value: unknown, length: number): boolean {
  return isPosition(value, length) && Math.abs(value[0]!) <= 360 && Math.abs(value[1]!) <= 90;
}
