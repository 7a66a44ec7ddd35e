import { sql } from 'kysely';
import { recordAudit } from '../../base/audit/record-audit.ts';
import { requireFreeFolder } from '../../publishing/credentials/free-folder.ts';
import { findCredential } from '../../publishing/credentials/store.ts';
import type { Db } from '../../base/database/database.ts';
import type { Caller } from '../../base/caller.ts';
import { checkParameters } from '../../jobs/types/check-parameters.ts';
import { linkPublication } from '../../publishing/publish/link-task.ts';
import { publishableOf } from '../../publishing/publish/publication.ts';
import { refreshPublishTaskIds } from '../../publishing/publish/store.ts';
import { typeNameOf } from '../../base/type-name.ts';
import { findTask } from '../../jobs/tasks/store.ts';
import type { RestoreOptions } from './restore-files.ts';
import { restoreRows } from './restore-resources.ts';
import type { TrashEntry } from './store.ts';

/**
 * Tasks that name them publish by them again. Without their login, where that has been deleted meanwhile.
 * @throws Failure `conflict` where another project has their folder by now
 */
export async function restoreCredential(
  tx: Db,
  caller: Caller,
  { id: entryId, project_id: projectId, resource_id }: TrashEntry,
  { now }: RestoreOptions,
): Promise<void> {
  const id = resource_id!;
  await sql`set constraints credential_login_credential_id_fkey deferred`.execute(tx);
  await restoreRows(tx, entryId, ['credential']);
  await sql`update credential c set login_credential_id = null where id = ${id}
    and not exists (select from login_credential l where l.id = c.login_credential_id)`.execute(tx);
  const { name, type, target } = (await findCredential(tx, projectId, id))!;
  await requireFreeFolder(tx, { projectId, type, target });
  const detail = { name, type };
  await recordAudit(tx, { now, caller, action: 'credential.restore', projectId, targetId: id, detail });
}

/** Restores a scenario with the modules that still exist, in their order, and its app if that still exists. */
export async function restoreScenario(
  tx: Db,
  { id: entryId, project_id: projectId, resource_id }: TrashEntry,
  { by, now }: RestoreOptions,
): Promise<void> {
  const id = resource_id!;
  await sql`set constraints scenario_project_id_app_id_fkey deferred`.execute(tx);
  await restoreRows(tx, entryId, ['scenario']);
  await sql`update scenario s set revision = revision + 1, updated_at = ${now}, updated_by = ${by},
      app_id = (select a.id from app a where a.project_id = ${projectId} and a.id = s.app_id)
    where id = ${id}`.execute(tx);
  await sql`insert into scenario_module (project_id, scenario_id, position, module_id)
    select ${projectId}, ${id}, row_number() over (order by (r.content ->> 'position')::int), m.id
    from trash_row r join module m on m.project_id = ${projectId} and m.id = r.content ->> 'module_id'
    where r.entry_id = ${entryId} and r.source = 'scenario_module'`.execute(tx);
  await refreshPublishTaskIds(tx, 'scenario', id);
}

/** A task that publishes does so again. @throws Failure `conflict` where another publishes to its destination by now */
export async function relinkTask(
  tx: Db,
  { project_id: projectId, resource_id, job_type: jobType }: TrashEntry,
  { by, now }: RestoreOptions,
): Promise<void> {
  const taskId = resource_id!;
  if (publishableOf(typeNameOf(jobType ?? '')) === undefined) return;
  const { parameters } = (await findTask(tx, projectId, taskId))!;
  await linkPublication(tx, { projectId, taskId, by, now }, checkParameters(jobType!, parameters));
}
