import { pluginRequestOf } from '../map-plugins/choose.ts';
import { checkTreeItem } from './content-tree.ts';
import { isObject } from '../../base/is-object.ts';
import { given, isNumbers, isTexts, type Item, type Reports } from './findings.ts';
import { checkLayer } from './layers.ts';
import { checkViewpoint } from './places.ts';
import { escapePointer } from '../../base/pointer.ts';

export type ItemRule = (item: Item, pointer: string, reports: Reports) => void;

/** The fields that an item of each list needs to work, besides its name and type. */
export const itemRules: Readonly<Record<string, ItemRule>> = {
  layers: checkLayer,
  maps: checkMap,
  viewpoints: checkViewpoint,
  contentTree: checkTreeItem,
  obliqueCollections: checkObliqueCollection,
  plugins: checkPlugin,
  flights: checkFlight,
  featureInfo: checkFeatureInfo,
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
  clippingPolygons: ({ coordinates, layerNames }, pointer, { error }) => {
    const isRing = Array.isArray(coordinates) && coordinates.length >= 3;
    if (!isRing || !coordinates.every((position) => isNumbers(position, 2)))
      error(`${pointer}/coordinates`, 'required', 'It needs at least three positions, in degrees (WGS 84).');
    if (given(layerNames) && layerNames !== 'all' && !isTexts(layerNames))
      error(`${pointer}/layerNames`, 'type', 'It must be “all” or an array of names.');
  },
  vectorClusterGroups: ({ vectorProperties }, pointer, { error }) => {
    if (given(vectorProperties) && !isObject(vectorProperties))
      error(`${pointer}/vectorProperties`, 'type', 'It must be an object.');
  },
  i18n: (item, pointer, { error, warning }) => {
    for (const [key, value] of Object.entries(item)) {
      if (key === 'name' || key === 'properties' || key === 'type') continue;
      if (!/^[a-z]{2}$/.test(key)) {
        if (isObject(value))
          warning(
            `${pointer}/${escapePointer(key)}`,
            'ignored',
            'A language must be two letters, such as de or en.',
          );
      } else if (!isObject(value))
        error(`${pointer}/${key}`, 'type', 'The texts of a language must be an object.');
    }
  },
};

function checkMap(map: Item, pointer: string, { error }: Reports): void {
  const { fallbackMap, layerTypes, name } = map;
  if (given(map['projection']) && !isObject(map['projection']))
    error(`${pointer}/projection`, 'type', 'It must be an object.');
  if (given(layerTypes) && !isTexts(layerTypes))
    error(`${pointer}/layerTypes`, 'type', 'It must be an array of layer types.');
  if (given(fallbackMap) && typeof fallbackMap !== 'string')
    error(`${pointer}/fallbackMap`, 'type', 'It must be the name of a map.');
  else if (given(fallbackMap) && fallbackMap === name)
    error(`${pointer}/fallbackMap`, 'cyclic', 'A map cannot be its own fallback.');
}

/** An entry other than an address makes the whole app fail to start. */
function checkPlugin(plugin: Item, pointer: string, { error, warning }: Reports): void {
  const { entry, version } = plugin;
  if (entry !== undefined && typeof entry !== 'string')
    return error(`${pointer}/entry`, 'type', 'It must be text.');
  if (entry !== undefined && !URL.canParse(entry, 'https://maps.example.org/'))
    return error(`${pointer}/entry`, 'type', 'It must be the address or the path of a script.');
  if (given(version) && typeof version !== 'string')
    return error(`${pointer}/version`, 'type', 'It must be text: a version or a version range.');
  const request = pluginRequestOf(plugin);
  if ('code' in request && request.code !== 'pluginName') warning(pointer, request.code, request.detail);
}

/** The map viewer cannot start the app if an anchor is not a feature; it leaves out incomplete features. */
function checkFlight({ anchors, url, interpolation }: Item, pointer: string, reports: Reports): void {
  const { error, warning } = reports;
  if (given(url) && typeof url !== 'string') error(`${pointer}/url`, 'type', 'It must be text.');
  if (given(interpolation) && !['spline', 'linear'].includes(interpolation as string))
    warning(`${pointer}/interpolation`, 'ignored', 'It must be spline or linear.');
  if (!given(anchors)) {
    if (!given(url)) warning(pointer, 'noSource', 'The flight has neither anchors nor a url.');
    return;
  }
  if (!Array.isArray(anchors)) return error(`${pointer}/anchors`, 'type', 'It must be an array of features.');
  for (const [index, anchor] of (anchors as unknown[]).entries()) {
    const at = `${pointer}/anchors/${index}`;
    const geometry = isObject(anchor) ? anchor['geometry'] : undefined;
    if (!isObject(geometry)) {
      error(`${at}/geometry`, 'required', 'It must be a GeoJSON feature with a point.');
      continue;
    }
    const { coordinates } = geometry;
    const properties = isObject(anchor) && isObject(anchor['properties']) ? anchor['properties'] : {};
    const complete = ['heading', 'pitch', 'roll', 'duration'].every((key) =>
      Number.isFinite(properties[key]),
    );
    if (!isNumbers(coordinates, 3) || coordinates.length !== 3 || !complete)
      warning(
        at,
        'ignored',
        'The anchor is left out. It needs longitude, latitude, height, heading, pitch, roll and duration as numbers.',
      );
  }
}

function checkFeatureInfo({ type, src, template }: Item, pointer: string, { warning }: Reports): void {
  if (type === 'IframeFeatureInfoView' && typeof src !== 'string')
    warning(pointer, 'noSource', 'An IframeFeatureInfoView without `src` shows nothing.');
  const isMarkdown = type === 'MarkdownFeatureInfoView' || type === 'MarkdownBalloonFeatureInfoView';
  if (isMarkdown && typeof template !== 'string' && !isTexts(template))
    warning(pointer, 'noSource', `A ${type} without \`template\` shows nothing.`);
}

function checkObliqueCollection(collection: Item, pointer: string, { error, warning }: Reports): void {
  const { dataSets, datasourceId } = collection;
  if (dataSets === undefined) {
    if (datasourceId === undefined)
      error(`${pointer}/dataSets`, 'required', 'It needs dataSets with a url, or a datasourceId.');
    return;
  }
  if (!Array.isArray(dataSets)) return error(`${pointer}/dataSets`, 'type', 'It must be an array.');
  for (const [index, dataSet] of (dataSets as unknown[]).entries()) {
    const url = isObject(dataSet) ? dataSet['url'] : undefined;
    const sourced =
      isObject(dataSet) &&
      (typeof url === 'string' ||
        (url === undefined && (dataSet['datasourceId'] ?? datasourceId) !== undefined));
    if (!sourced) error(`${pointer}/dataSets/${index}/url`, 'required', 'It needs the url of an image.json.');
    if (typeof url === 'string' && /[?#]/.test(url))
      warning(
        `${pointer}/dataSets/${index}/url`,
        'unusableUrl',
        'It must end in .json and cannot have a query.',
      );
  }
}
