import type { Module } from '@platen/contract/modules';
import { coerce, lt } from 'semver';
import { isObject } from '../base/is-object.ts';

type Json = Record<string, unknown>;

/** All levels: the viewer asks for those of the tiles only, and hides the layer on a flat map beyond these. */
const levels = { minLevel: 0, maxLevel: 30 };

/**
 * Makes a compiled module fit for engines that lack what later ones have. Before 6.3, a layer of vector tiles that are
 * drawn as primitives needs levels of its own, without which the engine throws, and points are filled with the colour of
 * their outline. The given module is not changed.
 */
export function withOldDefaults(module: Module, engineVersion: string | undefined): Module {
  const engine = coerce(engineVersion);
  if (engine === null || !lt(engine, '6.3.0')) return module;
  const { layers, styles } = module;
  return {
    ...module,
    layers: layers.map((layer) => withLevels(withPlainPoints(layer))),
    ...(Array.isArray(styles) && { styles: styles.map(withoutOutline) }),
  };
}

function withLevels(layer: Json): Json {
  const isPrimitive = layer['type'] === 'VectorTileLayer' && layer['renderer'] === 'primitive';
  return isPrimitive ? { ...levels, ...layer } : layer;
}

const withPlainPoints = (layer: Json): Json =>
  isObject(layer['style']) ? { ...layer, style: withoutOutline(layer['style']) } : layer;

/** Without the outline of points, so that these keep their colour. */
function withoutOutline(style: Json): Json {
  const { declarativeStyle } = style;
  if (!isObject(declarativeStyle) || declarativeStyle['pointOutlineWidth'] === undefined) return style;
  const { pointOutlineWidth: _width, pointOutlineColor: _colour, ...others } = declarativeStyle;
  return { ...style, declarativeStyle: others };
}
