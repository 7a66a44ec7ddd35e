import type { Module } from '@platen/contract/modules';
import { coerce, lt } from 'semver';

type Json = Record<string, unknown>;

/** All levels: the viewer asks for those of the tiles only, and hides the layer on a flat map beyond these. */
const levels = { minLevel: 0, maxLevel: 30 };

/**
 * Makes a compiled module fit for engines that lack defaults of later ones. Before 6.3, a layer of vector tiles that
 * are drawn as primitives needs levels of its own, without which the engine throws. The given module is not changed.
 */
export function withOldDefaults(module: Module, engineVersion: string | undefined): Module {
  const engine = coerce(engineVersion);
  if (engine === null || !lt(engine, '6.3.0')) return module;
  return { ...module, layers: module.layers.map(withLevels) };
}

function withLevels(layer: Json): Json {
  const isPrimitive = layer['type'] === 'VectorTileLayer' && layer['renderer'] === 'primitive';
  return isPrimitive ? { ...levels, ...layer } : layer;
}
