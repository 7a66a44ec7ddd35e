import type { ModulePreview, ModulePreviewRequest, PreviewFinding } from '@platen/contract/module-preview';
import type { Module } from '@platen/contract/modules';
import type { FreeForm } from '@platen/contract/schema';
import { findEngine, installedEngines } from '@platen/viewer/engines';
import { stageModule } from '@platen/viewer/stage-module';
import { foreignHosts } from '../app-pages/foreign-hosts.ts';
import { findBaseMapModule, worldBelow } from '../base-maps/chosen-module.ts';
import { firstBaseMapsOf } from '../base-maps/operations.ts';
import { checkApp, hasMaps } from '../check-app.ts';
import { datasourcesOf } from '../content.ts';
import { viewerModules } from '../load.ts';
import { fitProblem } from '../require-fit.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { mapInTurns } from '../../base/map-in-turns.ts';
import { findDatasourcesById } from '../../datasources/store.ts';
import type { Caller } from '../../base/caller.ts';
import { resolvePlugins } from '../map-plugins/resolve.ts';
import type { ModuleFinding } from '../modules/findings.ts';
import { findModulesByIds } from '../modules/store.ts';
import { knownBy, type KnownTypes } from '../modules/validate.ts';
import { checkModule, type Draft, type Finding, type CheckedModule } from './drafts.ts';

interface PreviewRequest {
  readonly projectId: string;
  readonly body: ModulePreviewRequest;
}

/** Compiles these modules as the map viewer would get them, with their errors and warnings. Nothing is stored. */
export async function previewModules(
  { db }: Context,
  caller: Caller,
  { projectId, body }: PreviewRequest,
): Promise<ModulePreview> {
  const { mapVersion, isApp = false } = body;
  const engine = mapVersion === undefined ? installedEngines()[0] : findEngine(mapVersion);
  const problem = await fitProblem(db, projectId, idsOf(body));
  if (problem) return nothing({ pointer: '', code: problem.code, detail: problem.detail });
  const known = knownBy(engine?.version ?? installedEngines()[0]?.version ?? '');
  const looked = await checkModules(db, caller, { projectId, body }, known);
  const drafts = withoutDuplicates(looked.flatMap(({ draft }) => draft ?? []));
  const modules = drafts.map(({ module }) => module);
  const engineVersion = engine?.version;
  const baseMaps = await findBaseMapModule(db, {
    projectId,
    memberId: caller.userId,
    baseMaps: body.baseMaps ?? (await firstBaseMapsOf(db, projectId)),
  });
  const compiled = await compile(db, projectId, [...baseMaps, ...modules], engineVersion);
  const wholes = drafts.map(({ whole }) => whole);
  const together = [
    ...(isApp ? await checkApp(wholes, known) : []),
    ...(await missingPlugins(db, drafts, engineVersion ?? 'none')),
  ].map(({ index, pointer, code, detail }) => {
    const place = index === undefined ? {} : placeOf(body, drafts[index]!.index);
    return Object.assign(place, { pointer, code, detail });
  });
  const errors = looked.flatMap((one, index) => at(body, index, one.errors));
  return {
    ...(engineVersion !== undefined && { engineVersion }),
    modules: [
      worldBelow(baseMaps),
      ...(isApp || hasMaps(modules) ? [] : [stageModule()]),
      ...(compiled as unknown as FreeForm[]),
    ],
    errors: [...errors, ...missingEngine(engineVersion), ...twice(body, looked, drafts)],
    warnings: [...looked.flatMap((one, index) => at(body, index, ownWarnings(one, isApp))), ...together],
    hosts: await foreignHosts(compiled),
  };
}

const idsOf = ({ modules }: ModulePreviewRequest) =>
  modules.flatMap(({ moduleId, module }) =>
    module === undefined && moduleId !== undefined ? [moduleId] : [],
  );

async function checkModules(
  db: Db,
  caller: Caller,
  { projectId, body }: PreviewRequest,
  known: KnownTypes,
): Promise<CheckedModule[]> {
  const stored = await findModulesByIds(db, projectId, [...new Set(idsOf(body))]);
  const unsaved = body.modules.flatMap(({ module }) => module ?? []) as unknown as Module[];
  const datasources = await findDatasourcesById(db, projectId, await datasourcesOf(unsaved));
  const surroundings = {
    caller,
    stored: new Map(stored.map((module) => [module._id, module])),
    datasourceTypes: new Map([...datasources].map(([id, { type }]) => [id, type])),
    known,
  };
  return mapInTurns([...body.modules.entries()], ([index, one]) => checkModule(one, index, surroundings));
}

/** Compiles the modules as pages receive them. */
async function compile(
  db: Db,
  projectId: string,
  modules: readonly Module[],
  engineVersion: string | undefined,
): Promise<readonly Module[]> {
  const datasources = await findDatasourcesById(db, projectId, await datasourcesOf(modules));
  const revisions = new Map([...datasources.values()].map(({ _id, dataRevision }) => [_id, dataRevision]));
  const shown = {
    name: '',
    description: '',
    world: {},
    engineVersion,
    plugins: undefined,
    tools: [],
    release: undefined,
  };
  return viewerModules(db, projectId, { ...shown, modules, revisions });
}

async function missingPlugins(
  db: Db,
  drafts: readonly Draft[],
  engineVersion: string,
): Promise<ModuleFinding[]> {
  const modules = drafts.map(({ module }) => module);
  const { warnings } = await resolvePlugins(db, modules, engineVersion);
  return warnings.map(({ index, pointer, code, detail }) => {
    const { module, whole } = drafts[index!]!;
    const at = Number(pointer.replace('/plugins/', ''));
    return {
      index: index!,
      pointer: `/plugins/${whole.plugins!.indexOf(module.plugins![at]!)}`,
      code,
      detail,
    };
  });
}

/** Codes that the check of the whole app reports more precisely. */
const reportedByApp = new Set(['elsewhere', 'unknownType', 'unknownProjection']);

const ownWarnings = ({ warnings }: CheckedModule, isApp: boolean) =>
  isApp ? warnings.filter(({ code }) => !reportedByApp.has(code)) : warnings;

function at(body: ModulePreviewRequest, index: number, findings: readonly Finding[]): PreviewFinding[] {
  return findings.map(({ pointer, code, detail }) => ({ ...placeOf(body, index), pointer, code, detail }));
}

function placeOf({ modules }: ModulePreviewRequest, index: number) {
  const { moduleId } = modules[index]!;
  return { index, ...(moduleId !== undefined && { moduleId }) };
}

/** The map viewer skips a module whose id it has already. */
function withoutDuplicates(drafts: readonly Draft[]): Draft[] {
  return drafts.filter(
    ({ module }, index) => drafts.findIndex((other) => other.module._id === module._id) === index,
  );
}

function twice(
  body: ModulePreviewRequest,
  looked: readonly CheckedModule[],
  shown: readonly Draft[],
): PreviewFinding[] {
  const detail = 'The module is listed twice.';
  return looked.flatMap(({ draft }, index) =>
    draft === undefined || shown.includes(draft)
      ? []
      : at(body, index, [{ pointer: '', code: 'duplicate', detail }]),
  );
}

function missingEngine(engineVersion: string | undefined): PreviewFinding[] {
  if (engineVersion !== undefined) return [];
  const installed = installedEngines().map(({ version }) => version);
  const those =
    installed.length > 0 ? `Installed versions: ${installed.join(', ')}.` : 'No version is installed.';
  const detail = `No installed version of the map viewer satisfies mapVersion. ${those}`;
  return [{ pointer: '', code: 'noEngine', detail }];
}

const nothing = (error: PreviewFinding): ModulePreview => ({
  modules: [],
  errors: [error],
  warnings: [],
  hosts: [],
});
