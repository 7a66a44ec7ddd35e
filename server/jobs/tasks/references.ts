import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { JobParameters } from '../types/check-parameters.ts';
import { usableKey } from '../../files/objects/key.ts';
import { admissionOf, noReference, type TaskReference } from '../types/admission.ts';

/** Stores the references of a task whenever its parameters are written. */
export async function replaceTaskReferences(
  tx: Db,
  { projectId, taskId }: { projectId: string; taskId: string },
  parameters: JobParameters,
): Promise<void> {
  await tx.deleteFrom('task_reference').where('task_id', '=', taskId).execute();
  const rows = referencesOf(parameters);
  if (rows.length === 0) return;
  await sql`insert into task_reference (project_id, task_id, role, bucket_id, bucket_key, datasource_id, app_id,
      scenario_id, credential_id)
    select ${projectId}, ${taskId}, role, bucket_id, bucket_key, datasource_id, app_id, scenario_id, credential_id
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (role text, bucket_id text, bucket_key text,
      datasource_id text, app_id text, scenario_id text, credential_id text)`.execute(tx);
}

function referencesOf(parameters: JobParameters): TaskReference[] {
  const { spec, inputs, output, datasource } = parameters;
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
  const changed: TaskReference[] =
    datasource === undefined || datasource.command === 'create'
      ? []
      : [{ ...noReference, role: 'target', datasource_id: datasource.datasourceId }];
  const named = admissionOf(spec.name)?.referencesOf(parameters) ?? [];
  return [...read, ...written, ...changed, ...named];
}

/** A key without enclosing slashes; null for the whole bucket. */
function placeOf(raw: string): string | null {
  return usableKey(raw.replace(/^\//, '').replace(/\/$/, '')) ?? null;
}
