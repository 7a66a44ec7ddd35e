import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import type { JobParameters } from '../types/check-parameters.ts';
import { usableKey } from '../../files/objects/key.ts';
import { admissionOf, noReference, type TaskReference } from '../types/admission.ts';
import { findTarget } from '../types/find-target.ts';

/** Stores the references of a task whenever its parameters are written. */
export async function replaceTaskReferences(
  tx: Db,
  { projectId, taskId }: { projectId: string; taskId: string },
  parameters: JobParameters,
): Promise<void> {
  await tx.deleteFrom('task_reference').where('task_id', '=', taskId).execute();
  const rows = [...referencesOf(parameters), ...(await targetOf(tx, projectId, parameters))];
  if (rows.length === 0) return;
  await sql`insert into task_reference (project_id, task_id, role, bucket_id, bucket_key, datasource_id, app_id,
      scenario_id, credential_id)
    select ${projectId}, ${taskId}, role, bucket_id, bucket_key, datasource_id, app_id, scenario_id, credential_id
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (role text, bucket_id text, bucket_key text,
      datasource_id text, app_id text, scenario_id text, credential_id text)`.execute(tx);
}

function referencesOf(parameters: JobParameters): TaskReference[] {
  const { spec, inputs, output } = parameters;
  const read = inputs.flatMap((source): TaskReference[] => {
    if (source.type === 'datasource')
      return [{ ...noReference, role: 'input', datasource_id: source.datasourceId }];
    if (source.type !== 'internal') return [];
    return [
      {
        ...noReference,
        role: 'input',
        bucket_id: source.dataBucketId,
        bucket_key: placeOf(source.dataBucketKey),
      },
    ];
  });
  const { dataBucketId, prefix } = output;
  const written: TaskReference[] =
    dataBucketId === undefined
      ? []
      : [{ ...noReference, role: 'output', bucket_id: dataBucketId, bucket_key: placeOf(prefix ?? '') }];
  const named = admissionOf(spec.name)?.referencesOf(parameters) ?? [];
  return [...read, ...written, ...named];
}

async function targetOf(
  db: Db,
  projectId: string,
  { spec, datasource }: JobParameters,
): Promise<TaskReference[]> {
  if (datasource === undefined || datasource.command === 'create') return [];
  const id = datasource.datasourceId ?? (await findByName({ db, projectId }, datasource, spec));
  return id === undefined ? [] : [{ ...noReference, role: 'target', datasource_id: id }];
}

/** Undefined if the task can no longer run, because there is none of this name, or several. */
async function findByName(...target: Parameters<typeof findTarget>): Promise<string | undefined> {
  try {
    return (await findTarget(...target)).id;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** A key without enclosing slashes; null for the whole bucket. */
function placeOf(raw: string): string | null {
  return usableKey(raw.replace(/^\//, '').replace(/\/$/, '')) ?? null;
}
