import { isObject } from '../base/is-object.ts';
import type { NamedStyle } from '../datasources/named-styles.ts';
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
    for (const { item } of offered) added.set(item.name, item);
    return withStyles(layer, offered);
  });
  return added.size === 0 ? { layers } : { layers: styled, styles: [...(styles ?? []), ...added.values()] };
}

function withStyles(layer: Json, styles: readonly NamedStyle[]): Json {
  const properties = isObject(layer['properties']) ? layer['properties'] : {};
  const { item } = styles.find(({ title }) => title === properties['datasourceStyle']) ?? styles[0] ?? {};
  if (item === undefined) return layer;
  const availableStyles = styles.map(({ item: { name } }) => name);
  return {
    ...layer,
    style: item.name,
    ...(styles.length > 1 && { properties: { availableStyles, ...properties } }),
  };
}
