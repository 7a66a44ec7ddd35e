import type { App } from '@platen/contract/apps';
import type { Module } from '@platen/contract/modules';
import type { DataDifference, ModuleDifference, ReleaseDiff } from '@platen/contract/releases';
import { getApp } from '../operations.ts';
import { loadContent, type MapContent } from '../content.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { differencesOf, movedOf } from './differences.ts';
import { requireDrafts } from './may-see-drafts.ts';
import type { ReleasePath } from './operations.ts';
import { findPrevious, findReleaseHead } from './store.ts';

const maxPerModule = 500;
const maxInTotal = 5000;

/** Compares a release with an earlier one. The draft counts as later than any release. */
export async function compareRelease(
  context: Context,
  caller: Caller,
  { releaseId, with: other, ...where }: ReleasePath & { with: string },
): Promise<ReleaseDiff> {
  const { db } = context;
  const app = await getApp(context, where);
  requireDrafts(caller, app.createdBy);
  const release = await findReleaseHead(db, app._id, releaseId);
  if (!release) throw notFound('release');
  const that = await shownOf(db, app, release._id);
  if (other === 'draft') return diff(that, await loadContent(db, app, 'draft'));
  const otherId = other === 'previous' ? await findPrevious(db, app._id, release.number) : other;
  if (otherId === undefined) throw new Failure('not_found', 'There is no release before this one.');
  return diff(await shownOf(db, app, otherId), that);
}

async function shownOf(db: Db, app: App, releaseId: string): Promise<MapContent> {
  // accepts an id or a number, but not `current` or another keyword
  const release = await findReleaseHead(db, app._id, releaseId);
  const shown = release && (await loadContent(db, app, release._id));
  if (!shown) throw notFound('release');
  return shown;
}

/** Exported for tests of speed. */
export function diff(before: MapContent, after: MapContent): ReleaseDiff {
  const app = differencesOf(fieldsOf(before), fieldsOf(after), maxPerModule).found;
  const modules = diffModules(before.modules, after.modules);
  const datasources = diffData(before.revisions, after.revisions);
  return {
    before: nameOf(before),
    after: nameOf(after),
    isEqual: app.length + modules.length + datasources.length === 0,
    app,
    modules,
    datasources,
  };
}

const nameOf = ({ release }: MapContent) => (release ? { release: release.id, number: release.number } : {});

const fieldsOf = ({ name, description, engineVersion, tools, world }: MapContent) => ({
  name,
  description,
  engineVersion: engineVersion ?? null,
  tools,
  world,
});

function diffModules(before: readonly Module[], after: readonly Module[]): ModuleDifference[] {
  const idsBefore = before.map(({ _id }) => _id);
  const idsAfter = after.map(({ _id }) => _id);
  const moved = movedOf(idsBefore, idsAfter);
  const known = new Map(before.map((module, index) => [module._id, { module, index }]));
  const removed = [...known.values()].filter(({ module }) => !idsAfter.includes(module._id)).map(removedOf);
  let room = maxInTotal;
  const others = after.map((module, index): ModuleDifference => {
    const old = known.get(module._id);
    if (!old) return { ...headOf(module), changes: ['added'], after: index };
    const max = Math.min(maxPerModule, room);
    const { found, isCut } = differencesOf(contentOf(old.module), contentOf(module), max);
    room -= found.length;
    const isMoved = moved.has(module._id);
    const isChanged = found.length > 0 || isCut;
    const changes = [...(isMoved ? (['moved'] as const) : []), ...(isChanged ? (['changed'] as const) : [])];
    return { ...headOf(module), changes, before: old.index, after: index, differences: found, isCut };
  });
  return [...removed, ...others.filter(({ changes }) => changes.length > 0)];
}

function removedOf({ module, index }: { module: Module; index: number }): ModuleDifference {
  return { ...headOf(module), changes: ['removed'], before: index };
}

const headOf = ({ _id, name }: Module) => ({ moduleId: _id, name, differences: [], isCut: false });

/** Without what every change brings with it. */
function contentOf(module: Module): Record<string, unknown> {
  const {
    revision: _1,
    createdAt: _2,
    createdBy: _3,
    updatedAt: _4,
    updatedBy: _5,
    warnings: _6,
    ...content
  } = module;
  return content;
}

function diffData(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): DataDifference[] {
  const found: DataDifference[] = [];
  for (const datasourceId of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    const [old, fresh] = [before.get(datasourceId), after.get(datasourceId)];
    if (old === fresh) continue;
    found.push({
      datasourceId,
      ...(old !== undefined && { before: old }),
      ...(fresh !== undefined && { after: fresh }),
    });
  }
  return found;
}
