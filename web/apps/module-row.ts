import type { Module } from '@platen/contract/modules';

/** A module in an ordered list, as displayed. */
export interface ModuleRow {
  readonly id: string;
  /** Undefined while unknown or not readable. */
  readonly name: string | undefined;
  readonly layers: number;
  readonly maps: number;
  /** How many warnings concern it. */
  readonly warnings: number;
}

/** The rows for a list of ids, given the modules already loaded. */
export function rowsOf(
  ids: readonly string[],
  modules: readonly Pick<Module, '_id' | 'name' | 'layers' | 'maps'>[],
  warningsAt: (index: number) => number = () => 0,
): readonly ModuleRow[] {
  const known = new Map(modules.map((module) => [module._id, module]));
  return ids.map((id, index) => {
    const module = known.get(id);
    return {
      id,
      name: module?.name,
      layers: module?.layers.length ?? 0,
      maps: module?.maps.length ?? 0,
      warnings: warningsAt(index),
    };
  });
}
