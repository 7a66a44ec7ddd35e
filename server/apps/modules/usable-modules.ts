import type { Module } from '@platen/contract/modules';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { findReader, mayReadModule } from './reader.ts';
import { findModulesByIds } from './store.ts';

interface ModuleSelection {
  readonly projectId: string;
  readonly memberId: string;
  readonly moduleIds: readonly string[];
  /** Modules that it already has: they were checked then, and are checked again whenever they are shown. */
  readonly kept?: readonly string[];
}

/**
 * An app or scenario shows what its user may read, and no user can use it to show what they may not read themselves.
 * @throws Failure `unusable_reference`
 */
export async function usableModules(db: Db, caller: Caller, selection: ModuleSelection): Promise<Module[]> {
  const { projectId, memberId, moduleIds, kept = [] } = selection;
  const modules = await findModulesByIds(db, projectId, moduleIds);
  const byId = new Map(modules.map((module) => [module._id, module]));
  const reader = await findReader(db, projectId, memberId);
  const reasons = moduleIds.map((id, index) => {
    const module = byId.get(id);
    if (!module) return 'There is no such module in this project.';
    if (moduleIds.indexOf(id) !== index) return 'The module is listed twice.';
    if (kept.includes(id)) return undefined;
    if (!mayReadModule(caller, module.createdBy))
      return 'You need the permission getModule to use modules that others created.';
    if (!mayReadModule(reader, module.createdBy))
      return 'The user with whose permissions it reads may not read this module.';
    return undefined;
  });
  const errors = reasons.flatMap((detail, index) =>
    detail === undefined ? [] : [{ pointer: `/moduleIds/${index}`, code: 'unusable_reference', detail }],
  );
  if (errors.length === 0) return modules;
  throw new Failure('unusable_reference', `${errors[0]!.pointer}: ${errors[0]!.detail}`, { errors });
}
