import type { App } from '@platen/contract/apps';
import type { ProblemDetail } from '@platen/contract/error';
import type { Module } from '@platen/contract/modules';
import type { FreeForm } from '@platen/contract/schema';
import { findEngine } from '@platen/viewer/engines';
import { sql } from 'kysely';
import { hasMaps } from '../check-app.ts';
import { findBaseMapModule, worldBelow } from '../base-maps/chosen-module.ts';
import { datasourcesOf, findReadableModules } from '../content.ts';
import { findPublishingWarnings } from '../publishing-warnings.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import { resolvePlugins, type PluginPins } from '../map-plugins/resolve.ts';
import type { Pin } from './store.ts';

export interface PinnedDraft {
  readonly engineVersion: string;
  readonly modules: readonly Module[];
  readonly world: FreeForm;
  readonly plugins: PluginPins;
  readonly warnings: readonly ProblemDetail[];
  readonly pins: readonly Pin[];
}

/**
 * Reads the draft and locks its data until the transaction ends, so that no revision changes before the release pins
 * it.
 * @throws Failure `unprocessable` if the app cannot work, `too_large`
 */
export async function pinDraft(tx: Db, app: App): Promise<PinnedDraft> {
  const modules = await findReadableModules(tx, app);
  const engineVersion = findEngine(app.mapVersion)?.version;
  const problems = problemsOf(app, modules, engineVersion);
  if (engineVersion === undefined || problems.length > 0)
    throw new Failure('unprocessable', `${problems[0]!.pointer}: ${problems[0]!.detail}`, {
      errors: problems,
    });
  const baseMaps = await findBaseMapModule(tx, app);
  const all = [...baseMaps, ...modules];
  const pins = await pinsOf(tx, app.projectId, all);
  const { pins: plugins } = await resolvePlugins(tx, modules, engineVersion);
  const warnings = await findPublishingWarnings(tx, app, modules);
  return { engineVersion, modules: all, world: worldBelow(baseMaps), plugins, warnings, pins };
}

function problemsOf(
  { moduleIds, mapVersion }: App,
  modules: readonly Module[],
  engineVersion: string | undefined,
): ProblemDetail[] {
  const readable = new Set(modules.map(({ _id }) => _id));
  const unreadable = moduleIds.flatMap((id, index) => {
    const detail = 'The user with whose permissions the app reads may no longer read this module.';
    return readable.has(id) ? [] : [{ pointer: `/moduleIds/${index}`, code: 'unusable_reference', detail }];
  });
  const noMaps =
    moduleIds.length === 0
      ? 'The app has no modules.'
      : 'No module of the app has a map, so there is nothing to show.';
  const noEngine = `No installed version of the map viewer satisfies ${mapVersion}.`;
  return [
    ...unreadable,
    ...(hasMaps(modules) ? [] : [{ pointer: '/moduleIds', code: 'noMaps', detail: noMaps }]),
    ...(engineVersion === undefined ? [{ pointer: '/mapVersion', code: 'noEngine', detail: noEngine }] : []),
  ];
}

async function pinsOf(tx: Db, projectId: string, modules: readonly Module[]): Promise<Pin[]> {
  const authors = new Map<string, Set<string>>();
  for (const module of modules) {
    for (const id of await datasourcesOf([module]))
      authors.set(id, (authors.get(id) ?? new Set()).add(module.createdBy));
  }
  const { rows } = await sql<{ id: string; revision: number }>`
    select id, data_revision as revision from datasource
    where project_id = ${projectId} and id = any(${[...authors.keys()]}::text[])
    order by id for no key update`.execute(tx);
  return rows.map(({ id, revision }) => ({ datasourceId: id, revision, authors: [...authors.get(id)!] }));
}
