import type { Module } from '@platen/contract/modules';

/** One of an ordered list of modules, as it is shown. */
export interface ModuleRow {
  readonly id: string;
  /** Undefined while it is not known, or may not be. */
  readonly name: string | undefined;
  readonly layers: number;
  readonly maps: number;
  /** What is odd about it within the list. */
  readonly warnings: number;
}

/** The rows of a list of ids, of which the modules that are known already. */
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
