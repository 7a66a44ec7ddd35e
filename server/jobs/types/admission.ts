import type { FreeForm } from '@platen/contract/schema';
import type { Db } from '../../base/database/database.ts';
import type { TaskReferenceTable } from '../../base/database/schema.ts';
import type { JobRow } from '../store.ts';
import type { JobParameters } from './check-parameters.ts';
import type { ReferenceScope } from './reference-scope.ts';

export type TaskReference = Omit<TaskReferenceTable, 'project_id' | 'task_id'>;

export const noReference = {
  bucket_id: null,
  bucket_key: null,
  datasource_id: null,
  app_id: null,
  scenario_id: null,
  credential_id: null,
};

/** What a job type asks beyond what all of them do: of its tasks when they are written, of its jobs when they start. */
export interface Admission {
  /** @throws Failure where the parameters name what is not there, or what the caller may not use */
  requireReferences(scope: ReferenceScope, parameters: JobParameters): Promise<void>;
  /** What a task names by its options, besides its inputs, output and datasource. */
  referencesOf(parameters: JobParameters): readonly TaskReference[];
  /** @returns why a claimed job has to wait; undefined when it may start */
  lockTarget(db: Db, job: ClaimedRow, options: FreeForm): Promise<string | undefined>;
}

type ClaimedRow = Pick<JobRow, 'id' | 'attempt' | 'project_id' | 'type_name'>;

const admissions = new Map<string, Admission>();

/** @param typeName without a prefix */
export function setAdmission(typeName: string, admission: Admission): void {
  admissions.set(typeName, admission);
}

/** @param typeName without a prefix */
export function admissionOf(typeName: string): Admission | undefined {
  return admissions.get(typeName);
}
