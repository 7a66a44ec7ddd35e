import type { Module } from '@platen/contract/modules';
import type { Db } from '../base/database/database.ts';
import { mapInTurns } from '../base/map-in-turns.ts';
import { toolsModule } from '@platen/viewer/tools';
import { raiseNames } from './base-maps/raise-names.ts';
import { resolvePlugins } from './map-plugins/resolve.ts';
import type { MapContent } from './content.ts';
import { withLegends } from './layer-legends.ts';
import { withoutUnsafeLinks } from './modules/unsafe-links.ts';
import { withOldDefaults } from './old-engines.ts';

/**
 * The last step before compiled modules go to the map viewer of an engine version: the place for what depends on that
 * version, such as the addresses of plugins and what older engines lack. What it makes of a release is stored: whatever changes its results has to
 * call `forgetStoredConfigs`. The tools of the app come first, as a module of their own.
 */
export async function forViewer(
  db: Db,
  modules: readonly Module[],
  { engineVersion, plugins, tools }: Pick<MapContent, 'engineVersion' | 'plugins' | 'tools'>,
): Promise<readonly Module[]> {
  const resolved = await resolvePlugins(db, modules, engineVersion ?? 'none', plugins);
  const styles = new Map(
    resolved.modules.flatMap((module) => (module.styles ?? []).map((style) => [style['name'], style])),
  );
  const shown = await mapInTurns(raiseNames(resolved.modules, styles), (module) =>
    withoutUnsafeLinks(withOldDefaults(withLegends(module, styles), engineVersion)),
  );
  if (engineVersion === undefined || tools.length === 0) return shown;
  const own = new Set(shown.flatMap((module) => (module.plugins ?? []).map(({ name }) => name)));
  const module = toolsModule(tools, engineVersion, own);
  return module === undefined ? shown : [module as unknown as Module, ...shown];
}
