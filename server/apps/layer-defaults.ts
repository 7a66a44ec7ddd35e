import type { NamedStyle } from '@platen/contract/named-styles';
import { isObject } from '../base/is-object.ts';
import { layerOf, layerTypesOf, stylesOf } from '../datasources/layer.ts';
import type { PinnedSource } from '../datasources/revisions/pinned-sources.ts';

type Json = Record<string, unknown>;

/** What a datasource adds to the layers of a module that name it. */
export interface LayerDefaults {
  /** The types of layers that it concerns; none for an oblique collection. */
  readonly layerTypes: readonly string[];
  /** The options of the layer of `GET …/config`, without its address and name. */
  readonly options: Readonly<Json>;
  /** Its named styles, the default first. */
  readonly styles?: readonly NamedStyle[];
}

/** A map configuration may name one large datasource in thousands of layers: further ones get their address only. */
const maxBytes = 8 * 2 ** 20;

/** Gives the defaults of sources for one map, up to a total size. */
export function createDefaults(): typeof defaultsOf {
  const known = new Map<string, { defaults: LayerDefaults | undefined; bytes: number }>();
  let left = maxBytes;
  return (source, uri) => {
    let one = known.get(source._id);
    if (!one) {
      const defaults = defaultsOf(source, uri);
      one = { defaults, bytes: Buffer.byteLength(JSON.stringify(defaults ?? {})) };
      known.set(source._id, one);
    }
    if (one.bytes > left) return undefined;
    left -= one.bytes;
    return one.defaults;
  };
}

/** undefined for generic data, which no layer shows. */
function defaultsOf(
  { bbox, facts, ...source }: Omit<PinnedSource, 'bucketKey' | 'servedFolder' | 'sourceProperties'>,
  uri: string,
): LayerDefaults | undefined {
  if (source.type === 'generic') return undefined;
  const {
    type: _type,
    name: _name,
    datasourceId: _id,
    url: _url,
    ...options
  } = layerOf({
    ...source,
    uri,
    ...(bbox && { bbox }),
    ...(facts && { facts }),
  });
  const styles = stylesOf({ ...source, uri });
  return { layerTypes: layerTypesOf(source.type), options, styles };
}

/** The layer with what its datasource adds; its own options win. */
export function withDefaults(layer: Json, defaults: LayerDefaults | undefined): Json {
  if (!defaults?.layerTypes.includes(String(layer['type']))) return layer;
  const { tileProvider, properties, ...options } = defaults.options;
  const own = layer['tileProvider'] ?? {};
  const isSameProvider =
    layer['type'] === 'VectorTileLayer' && isObject(tileProvider) && isObject(own)
      ? (own['type'] ?? tileProvider['type']) === tileProvider['type']
      : false;
  return {
    ...layer,
    ...missing(options, layer),
    ...(isObject(properties) && { properties: { ...properties, ...propertiesOf(layer) } }),
    ...(isSameProvider && { tileProvider: providerWith(own as Json, tileProvider as Json) }),
  };
}

const propertiesOf = ({ properties }: Json) => (isObject(properties) ? properties : {});

/** The address is set when the layer is compiled. */
function providerWith(own: Json, { url: _url, ...options }: Json): Json {
  return { ...own, ...missing(options, own) };
}

/** The options that a value does not have. */
export function missing(options: Readonly<Json>, value: Readonly<Json>): Json {
  return Object.fromEntries(Object.entries(options).filter(([key]) => value[key] === undefined));
}
