import { isObject } from '../../base/is-object.ts';
import { given, isNumbers, isTexts, type Item, type Reports } from './findings.ts';
import { checkExtent } from './places.ts';
import { checkStyle } from './styles.ts';

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

const isRaster = new Set(['SingleImageLayer', 'TMSLayer', 'WMSLayer', 'WMTSLayer']);

export function checkLayer(layer: Item, pointer: string, reports: Reports): void {
  const { error, warning } = reports;
  const { type, url, extent, properties } = layer;
  checkUrl(url, `${pointer}/url`, reports);
  if (extent !== undefined) checkExtent(extent, `${pointer}/extent`, reports);
  for (const key of ['style', 'highlightStyle']) checkStyle(layer[key], `${pointer}/${key}`, reports);
  for (const key of [
    'tileProvider',
    'properties',
    'vectorProperties',
    'attributeProvider',
    'featureProvider',
  ]) {
    if (given(layer[key]) && !isObject(layer[key]))
      error(`${pointer}/${key}`, 'type', 'It must be an object.');
  }
  for (const key of ['mapNames', 'exclusiveGroups', 'hiddenObjectIds']) {
    if (given(layer[key]) && !isTexts(layer[key]))
      error(`${pointer}/${key}`, 'type', 'It must be an array of texts.');
  }
  checkNumbers(layer, pointer, reports);
  if (isObject(properties) && given(properties['title']) && typeof properties['title'] !== 'string')
    warning(
      `${pointer}/properties/title`,
      'type',
      'It must be text. Otherwise, the content tree drops its item.',
    );
  for (const key of ['attributeProvider', 'featureProvider'])
    checkProvider(layer[key], `${pointer}/${key}`, reports);
  checkTileProvider(layer, pointer, reports);
  if (typeof type === 'string') checkOfType(layer, type, { pointer, ...reports });
}

interface LayerReports extends Reports {
  readonly pointer: string;
}

function checkOfType(layer: Item, type: string, { pointer, warning }: LayerReports): void {
  const { url, extent, datasourceId, tilingSchema, layers } = layer;
  if (needsSource.has(type) && !given(url) && datasourceId === undefined)
    warning(pointer, 'noSource', `A ${type} without url and datasourceId shows nothing.`);
  if (type === 'VectorTileLayer' && layer['tileProvider'] === undefined && datasourceId === undefined)
    warning(pointer, 'noSource', 'A VectorTileLayer without tileProvider and datasourceId shows nothing.');
  if (type === 'WMTSLayer' && !given(extent) && datasourceId === undefined)
    warning(pointer, 'noExtent', 'A WMTSLayer without an extent is not shown on the 3D globe.');
  if (type === 'SingleImageLayer' && !given(extent))
    warning(pointer, 'noExtent', 'Without an extent, the picture covers the whole globe.');
  if (type === 'WMSLayer' && datasourceId === undefined && (typeof layers !== 'string' || layers === ''))
    warning(`${pointer}/layers`, 'noSource', 'A WMSLayer needs layer names as text, separated by commas.');
  if (type === 'OpenStreetMapLayer')
    warning(
      pointer,
      'foreignHost',
      'An OpenStreetMapLayer always loads from tile.openstreetmap.org and ignores its url.',
    );
  if (
    isRaster.has(type) &&
    given(tilingSchema) &&
    !['geographic', 'mercator'].includes(tilingSchema as string)
  )
    warning(
      `${pointer}/tilingSchema`,
      'ignored',
      'It must be geographic or mercator. Other values count as geographic.',
    );
}

const numbers = [
  ['zIndex', -Infinity, Infinity],
  ['opacity', 0, 1],
  ['minLevel', 0, 30],
  ['maxLevel', 0, 30],
  ['minRenderingLevel', 0, 30],
  ['maxRenderingLevel', 0, 30],
] as const;

/** The map viewer uses its default if a value is not a number. */
function checkNumbers(layer: Item, pointer: string, { warning }: Reports): void {
  for (const [key, lower, upper] of numbers) {
    const value = layer[key];
    if (!given(value)) continue;
    if (typeof value !== 'number' || value < lower || value > upper) {
      const range = Number.isFinite(lower) ? ` from ${lower} to ${upper}` : '';
      warning(`${pointer}/${key}`, 'ignored', `It must be a number${range}. Other values have no effect.`);
    }
  }
  for (const [min, max] of [
    ['minLevel', 'maxLevel'],
    ['minRenderingLevel', 'maxRenderingLevel'],
  ] as const) {
    const [lower, upper] = [layer[min], layer[max]];
    if (typeof lower === 'number' && typeof upper === 'number' && lower > upper)
      warning(`${pointer}/${min}`, 'aboveEachOther', `It is greater than ${max}, so nothing is shown.`);
  }
}

/** An error in one of these ends the start of the whole app. */
function checkProvider(provider: unknown, pointer: string, { error }: Reports): void {
  if (!isObject(provider) || provider['type'] !== 'CompositeFeatureProvider') return;
  for (const key of ['featureProviders', 'attributeProviders']) {
    const list = provider[key];
    if (!Array.isArray(list) || !list.every(isObject))
      error(`${pointer}/${key}`, 'required', 'It must be an array of objects, which may be empty.');
  }
}

function checkTileProvider(layer: Item, pointer: string, reports: Reports): void {
  const { tileProvider: provider, datasourceId } = layer;
  if (!isObject(provider)) return;
  const { error, warning } = reports;
  const at = `${pointer}/tileProvider`;
  const { type, url, baseLevels, levels } = provider;
  checkUrl(url, `${at}/url`, reports);
  if (typeof type !== 'string') return error(`${at}/type`, 'required', 'A tile provider needs a type.');
  const isSourced = given(url) || given(provider['datasourceId']) || given(datasourceId);
  if (type === 'FlatGeobufTileProvider') checkLevels(levels, `${at}/levels`, reports);
  else if (!isSourced) warning(at, 'noSource', `A ${type} without url and datasourceId shows nothing.`);
  const template = typeof url === 'string' && ['MVTTileProvider', 'URLTemplateTileProvider'].includes(type);
  if (template && !/\{(?:x|minx)\}/.test(url))
    warning(`${at}/url`, 'unusableUrl', 'It has no {z}/{x}/{y}, so all tiles would be the same.');
  const hasDatasource = given(provider['datasourceId']) || given(datasourceId);
  if (baseLevels === undefined && type === 'MVTTileProvider' && !hasDatasource)
    warning(at, 'noZooms', 'Without `baseLevels`, only tiles of zoom level 15 are requested.');
  if (baseLevels !== undefined && !(isNumbers(baseLevels, 1) && baseLevels.every(isZoom)))
    error(`${at}/baseLevels`, 'type', 'It must be an array of zoom levels from 0 to 30.');
}

const isZoom = (level: unknown) =>
  Number.isInteger(level) && (level as number) >= 0 && (level as number) <= 30;

function checkLevels(levels: unknown, pointer: string, { error }: Reports): void {
  const isLevel = (level: unknown) => isObject(level) && isZoom(level['level']);
  if (!Array.isArray(levels) || levels.length === 0 || !levels.every(isLevel))
    error(pointer, 'required', 'It needs levels, each with `level` (a zoom level from 0 to 30) and `url`.');
}

export function checkUrl(url: unknown, pointer: string, { error, warning }: Reports): void {
  if (!given(url)) return;
  const texts: unknown[] = isObject(url) ? Object.values(url) : [url];
  if (!texts.every((text) => typeof text === 'string'))
    return error(pointer, 'type', 'It must be text, or an object with a text for each language.');
  for (const text of texts as string[]) {
    const problem = problemOf(text);
    if (problem !== undefined) return warning(pointer, 'unusableUrl', problem);
  }
}

function problemOf(url: string): string | undefined {
  if (/^[a-z]:[\\/]|^\\\\|^file:/i.test(url))
    return 'It points to a file on one computer, which others cannot load.';
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && !['http', 'https', 'data', 'blob'].includes(scheme))
    return 'Browsers load data only over http and https.';
  if (/\.pmtiles(?:$|\?)/i.test(url))
    return 'The map viewer cannot read PMTiles. Make the file a datasource, which serves its tiles one by one.';
  return undefined;
}
