import type { NamedStyle } from '@platen/contract/named-styles';
import { isObject } from '../base/is-object.ts';
import type { LayerDefaults } from './layer-defaults.ts';

type Json = Record<string, unknown>;
interface Styled {
  layers: Json[];
  styles?: Json[];
}

/**
 * The layers and styles of a module, where layers without a style of their own have those of their datasource: the one
 * that `properties.datasourceStyle` names, else the first, and all of them to switch between.
 * @param defaults what the datasource of each layer adds
 */
export function withDatasourceStyles(
  { layers, styles }: Readonly<Styled>,
  defaults: readonly (LayerDefaults | undefined)[],
): Styled {
  const added = new Map<string, Json>();
  const styled = layers.map((layer, index) => {
    const { layerTypes = [], styles: offered = [] } = defaults[index] ?? {};
    if (!layerTypes.includes(String(layer['type'])) || layer['style'] !== undefined) return layer;
    const items = offered.map((style) => itemOf(String(layer['datasourceId']), style));
    for (const item of items) added.set(item.name, item);
    return withStyles(layer, items);
  });
  return added.size === 0 ? { layers } : { layers: styled, styles: [...(styles ?? []), ...added.values()] };
}

/** The style in an app, where its name has to be unique among all datasources. */
function itemOf(datasourceId: string, { name: title, properties, ...style }: NamedStyle) {
  const name = `${datasourceId}/${title}`;
  return { ...style, name, properties: { title, ...(isObject(properties) && properties) } };
}

type Item = ReturnType<typeof itemOf>;

function withStyles(layer: Json, items: readonly Item[]): Json {
  const properties = isObject(layer['properties']) ? layer['properties'] : {};
  const wanted = `${String(layer['datasourceId'])}/${String(properties['datasourceStyle'])}`;
  const item = items.find(({ name }) => name === wanted) ?? items[0];
  if (item === undefined) return layer;
  const availableStyles = items.map(({ name }) => name);
  return {
    ...layer,
    style: item.name,
    ...(items.length > 1 && { properties: { availableStyles, ...properties } }),
  };
}
