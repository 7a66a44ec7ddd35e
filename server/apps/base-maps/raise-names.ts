import { worldNames, worldNamesBelow } from '@platen/contract/base-maps';
import type { Module } from '@platen/contract/modules';
import { isObject } from '../../base/is-object.ts';
import { baseMapModuleId } from './base-map-module.ts';

type Json = Record<string, unknown>;

const isOfNames = ({ name }: Json) => String(name).startsWith(`${baseMapModuleId}-${worldNames}`);
const isBelow = ({ name }: Json) => String(name).startsWith(`${baseMapModuleId}-${worldNamesBelow}`);

/**
 * Puts the names of the world above the data of flat maps, whose areas would hide them, but below the first layer of points,
 * which dots of towns would hide, or with labels of its own: where two labels have no room, flat maps keep that of the upper
 * layer. Those that an app wants below its data stay there. Globes draw names above areas anyway, and on the ground where there is terrain.
 * @param styles of all modules of the app, by name
 */
export function raiseNames(
  modules: readonly Module[],
  styles: ReadonlyMap<unknown, Json>,
): readonly Module[] {
  if (!modules.some(({ _id, layers }) => _id === baseMapModuleId && layers.some(isOfNames))) return modules;
  let lowestAbove = Infinity;
  let highest = -1;
  for (const { _id, layers } of modules)
    for (const layer of _id === baseMapModuleId ? [] : layers) {
      highest = Math.max(highest, heightOf(layer));
      if (isAboveNames(layer, styles)) lowestAbove = Math.min(lowestAbove, heightOf(layer));
    }
  const isOnTerrain = modules.some(({ layers }) => layers.some(({ type }) => type === 'TerrainLayer'));
  const onTerrain = isOnTerrain ? { vectorProperties: { altitudeMode: 'clampToGround' } } : {};
  const zIndex = lowestAbove < Infinity ? lowestAbove - 1 : highest + 1;
  return modules.map((module) => {
    if (module._id !== baseMapModuleId) return module;
    const layers = module.layers.map((layer) =>
      isOfNames(layer) ? { ...layer, ...(!isBelow(layer) && { zIndex }), ...onTerrain } : layer,
    );
    return { ...module, layers };
  });
}

const heightOf = ({ zIndex }: Json) => (typeof zIndex === 'number' ? zIndex : 0);

function isAboveNames({ style }: Json, styles: ReadonlyMap<unknown, Json>): boolean {
  const item = typeof style === 'string' ? styles.get(style) : style;
  if (!isObject(item)) return false;
  const { declarativeStyle: drawing, text, image, fill, stroke } = item;
  if (!isObject(drawing)) return Boolean(text) || (image !== undefined && !fill && !stroke);
  const { labelText, pointSize, strokeColor, strokeWidth } = drawing;
  const isOfPoints = pointSize !== undefined || drawing['image'] !== undefined;
  return labelText !== undefined || (isOfPoints && strokeColor === undefined && strokeWidth === undefined);
}
