import type { App } from '@platen/contract/apps';
import type { Module } from '@platen/contract/modules';
import type { FreeForm } from '@platen/contract/schema';
import type { ToolName } from '@platen/contract/tools';
import { findEngine } from '@platen/viewer/engines';
import type { Db } from '../base/database/database.ts';
import { mapInTurns } from '../base/map-in-turns.ts';
import { findDatasourcesById } from '../datasources/store.ts';
import { findBaseMapModule, worldBelow } from './base-maps/chosen-module.ts';
import { findReader, mayReadModule } from './modules/reader.ts';
import type { PluginPins } from './map-plugins/resolve.ts';
import { datasourceReferences } from './modules/references.ts';
import { findModulesByIds } from './modules/store.ts';
import { engineOf } from './releases/require-engine.ts';
import { findRelease, findReleaseData } from './releases/store.ts';
import { requireFit } from './require-fit.ts';

type ModuleOwner = Pick<App, 'projectId' | 'memberId' | 'moduleIds'>;

/** The content of an app: the start of every map, bundle and release. */
export interface AppContent {
  /** Complete and in order, restricted to modules that the app’s member may read now; not compiled. */
  readonly modules: readonly Module[];
  /** The revision of its data by the id of each existing datasource that the modules name. */
  readonly revisions: ReadonlyMap<string, number>;
}

/** Everything that makes up a map. */
export interface MapContent extends AppContent {
  readonly name: string;
  readonly description: string;
  /** The module with the world base layer, which precedes the others. */
  readonly world: FreeForm;
  /** Version of an installed engine; undefined if no installed engine can show the app. */
  readonly engineVersion: string | undefined;
  /** The versions of its plugins; undefined: what the registry has now. */
  readonly plugins: PluginPins | undefined;
  /** Names of the tools that it offers, as far as the engine supports them. */
  readonly tools: readonly ToolName[];
  /** undefined: it is what the modules are now. */
  readonly release: { readonly id: string; readonly number: number } | undefined;
}

/**
 * `current`: what the public sees or would see. `draft`: the modules as they are now. Otherwise the ID of a release.
 */
export type ContentVersion = 'current' | 'draft' | (string & {});

type ContentOwner = ModuleOwner &
  Pick<App, '_id' | 'name' | 'description' | 'mapVersion' | 'releaseId' | 'tools' | 'baseMaps'>;

/**
 * Loads the content of an app. Only this function knows whether that is a release; it does not check who may see it.
 * `'current'` and `'draft'` always return content; the id of a release returns undefined if the app has no such release.
 * Compile the content with `compileContent`, and for the map viewer with `viewerConfig`.
 * @throws Failure `too_large` if a draft has become too large to be shown
 */
export function loadContent(db: Db, app: ContentOwner, which: 'current' | 'draft'): Promise<MapContent>;
export function loadContent(
  db: Db,
  app: ContentOwner,
  which: ContentVersion,
): Promise<MapContent | undefined>;
export async function loadContent(
  db: Db,
  app: ContentOwner,
  which: ContentVersion,
): Promise<MapContent | undefined> {
  const releaseId = which === 'current' ? app.releaseId : which === 'draft' ? undefined : which;
  if (releaseId !== undefined) return releasedContent(db, app, releaseId);
  const { name, description, mapVersion, tools } = app;
  const engineVersion = findEngine(mapVersion)?.version;
  const baseMaps = await findBaseMapModule(db, app);
  const content = await currentContent(db, app, baseMaps);
  return {
    ...content,
    name,
    description,
    world: worldBelow(baseMaps),
    engineVersion,
    plugins: undefined,
    tools,
    release: undefined,
  };
}

/** Without the modules that the user with whose permissions the app reads may not read any more. */
async function releasedContent(
  db: Db,
  { _id: appId, projectId, memberId }: ContentOwner,
  releaseId: string,
): Promise<MapContent | undefined> {
  const found = await findRelease(db, appId, releaseId);
  if (!found) return undefined;
  const { name, description, world, number } = found;
  const reader = await findReader(db, projectId, memberId);
  const modules = found.modules.filter(({ createdBy }) => mayReadModule(reader, createdBy));
  const named = new Set(await datasourcesOf(modules));
  const pinned = await findReleaseData(db, found._id);
  return {
    modules,
    revisions: new Map([...pinned].filter(([id]) => named.has(id))),
    name,
    description,
    world,
    engineVersion: engineOf(found),
    plugins: found.plugins,
    tools: found.tools,
    release: { id: found._id, number },
  };
}

/**
 * The current modules and data revisions. @param before modules that precede those that users made
 * @throws Failure `too_large`
 */
export async function currentContent(
  db: Db,
  app: ModuleOwner,
  before: readonly Module[] = [],
): Promise<AppContent> {
  const modules = [...before, ...(await findReadableModules(db, app))];
  const datasources = await findDatasourcesById(db, app.projectId, await datasourcesOf(modules));
  const revisions = [...datasources.values()].map(({ _id, dataRevision }) => [_id, dataRevision] as const);
  return { modules, revisions: new Map(revisions) };
}

/**
 * The modules of an app, in order, that the user with whose permissions it reads may read now.
 * @throws Failure `too_large` when the app has become larger than can be shown
 */
export async function findReadableModules(db: Db, app: ModuleOwner): Promise<Module[]> {
  await requireFit(db, app.projectId, app.moduleIds);
  const reader = await findReader(db, app.projectId, app.memberId);
  const modules = await findModulesByIds(db, app.projectId, app.moduleIds);
  return modules.filter(({ createdBy }) => mayReadModule(reader, createdBy));
}

/** The ids of all datasources that modules name, each once. */
export async function datasourcesOf(modules: readonly Module[]): Promise<string[]> {
  const ids = await mapInTurns(modules, (module) =>
    datasourceReferences(module).map(({ datasourceId }) => String(datasourceId)),
  );
  return [...new Set(ids.flat())];
}
