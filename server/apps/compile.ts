import { isObject } from '../base/is-object.ts';
import { withDatasourceStyles } from './datasource-styles.ts';
import { missing, withDefaults, type LayerDefaults } from './layer-defaults.ts';
import type { Module } from '@platen/contract/modules';
import type { Story } from '@platen/contract/stories';

/** The addresses under which the data of a datasource is served. */
export interface DatasourceAddress {
  /** All data of the datasource is at this address or below it; without a trailing slash. */
  readonly base: string;
  /** The address under which viewers of this app reach `base`: the same, or a path that contains a capability. */
  readonly servedAt: string;
  /** The `url` of a layer: a file, a folder, or a template of tiles. */
  readonly url: string;
  /** Where the names of its features by an attribute are listed for a search; undefined if they are not. */
  namesBy?(attribute: string): string | undefined;
  /** What a layer of this datasource has unless it says otherwise; undefined if no layer shows the data. */
  readonly defaults: LayerDefaults | undefined;
}

/** undefined if the datasource no longer exists: the layer then stays as it is. */
export type AddressOf = (datasourceId: string) => DatasourceAddress | undefined;

type Json = Record<string, unknown>;

/**
 * Compiles a module for the map viewer: whatever names a datasource gets the address of its data in `url`. Everything
 * else stays, including unknown keys and the order. The given module is not changed.
 */
export function compileModule(module: Module, addressOf: AddressOf): Module {
  const defaults = module.layers.map(({ datasourceId: id }) =>
    typeof id === 'string' ? addressOf(id)?.defaults : undefined,
  );
  const { layers, ...styles } = withDatasourceStyles(module, defaults);
  return {
    ...module,
    layers: layers.map((layer, index) => compileLayer(layer, defaults[index], addressOf)),
    ...styles,
    ...(module.obliqueCollections && {
      obliqueCollections: module.obliqueCollections.map((item) => compileCollection(item, addressOf)),
    }),
    ...(module.story && { story: withAddressesBelow(module.story, addressOf) as Story }),
  };
}

/** The data of a layer with a tile provider is the provider's. */
function compileLayer(given: Json, defaults: LayerDefaults | undefined, addressOf: AddressOf): Json {
  const layer = withSearch(withDefaults(given, defaults), addressOf);
  const { tileProvider = layer['type'] === 'VectorTileLayer' ? { type: 'MVTTileProvider' } : undefined } =
    layer;
  if (!isObject(tileProvider) || !namesDatasource(layer, tileProvider))
    return withAddresses(layer, addressOf);
  const { datasourceId = layer['datasourceId'] } = tileProvider;
  const address = typeof datasourceId === 'string' ? addressOf(datasourceId) : undefined;
  const { tileProvider: _, ...rest } = layer;
  const others = withAddressesBelow(rest, addressOf);
  const provider = withAddressesBelow(tileProvider, addressOf);
  const { levels } = provider;
  const compiled =
    provider['type'] === 'FlatGeobufTileProvider' && Array.isArray(levels)
      ? { ...provider, levels: levels.map((level) => (isObject(level) ? withUrl(level, address) : level)) }
      : withUrl(provider, address);
  return inOrderOf(layer, { ...others, tileProvider: compiled });
}

/** A layer of tiles that is searched gets the address of the names of all its features. */
function withSearch(layer: Json, addressOf: AddressOf): Json {
  const { datasourceId, properties } = layer;
  const searchBy = isObject(properties) ? properties['searchBy'] : undefined;
  if (typeof datasourceId !== 'string' || typeof searchBy !== 'string') return layer;
  const namesUrl = addressOf(datasourceId)?.namesBy?.(searchBy);
  return namesUrl === undefined ? layer : { ...layer, properties: { ...(properties as Json), namesUrl } };
}

const namesDatasource = (layer: Json, tileProvider: Json) =>
  'datasourceId' in layer || 'datasourceId' in tileProvider;

/** A collection's datasource is the address of those of its data sets that have none. */
function compileCollection(collection: Json, addressOf: AddressOf): Json {
  const { datasourceId, dataSets } = collection;
  const address = typeof datasourceId === 'string' ? addressOf(datasourceId) : undefined;
  const compiled = withAddressesBelow(collection, addressOf);
  if (address === undefined) return compiled;
  const { dataSets: [ownSet = {}] = [], ...options } = (address.defaults?.options ?? {}) as {
    dataSets?: Json[];
  };
  const whole = { ...compiled, ...missing(options, compiled) };
  if (!Array.isArray(dataSets)) return { ...whole, dataSets: [{ ...ownSet, url: address.url }] };
  const given = compiled['dataSets'] as unknown[];
  return {
    ...whole,
    dataSets: given.map((dataSet) =>
      isObject(dataSet) && dataSet['datasourceId'] === undefined
        ? withUrl({ ...dataSet, ...missing(ownSet, dataSet) }, address)
        : dataSet,
    ),
  };
}

/** Keys that belong to the user and are not searched, as in references.ts. */
const opaque = new Set(['properties', 'features', 'style', 'highlightStyle']);

function withAddresses(value: Json, addressOf: AddressOf): Json {
  const below = withAddressesBelow(value, addressOf);
  const { datasourceId } = value;
  return typeof datasourceId === 'string' ? withUrl(below, addressOf(datasourceId)) : below;
}

function withAddressesBelow(value: Json, addressOf: AddressOf): Json {
  const compile = (child: unknown): unknown => {
    if (Array.isArray(child)) return child.map(compile);
    return isObject(child) ? withAddresses(child, addressOf) : child;
  };
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, opaque.has(key) ? child : compile(child)]),
  );
}

/** In addresses of configurations that were compiled before. */
const pinnedRevision = /^\/~\d+(?=\/|$)/;

/** Keeps a url that is already within the datasource, as it may name a part of it. */
function withUrl(value: Json, address: DatasourceAddress | undefined): Json {
  if (address === undefined) return value;
  const { url } = value;
  const { base, servedAt } = address;
  const isWithin = typeof url === 'string' && (url === base || url.startsWith(`${base}/`));
  if (!isWithin) return { ...value, url: address.url };
  return { ...value, url: servedAt + url.slice(base.length).replace(pinnedRevision, '') };
}

/** The same entries with the keys in the order in which they came. */
function inOrderOf(original: Json, compiled: Json): Json {
  const keys = new Set([...Object.keys(original), ...Object.keys(compiled)]);
  return Object.fromEntries([...keys].map((key) => [key, compiled[key]]));
}
