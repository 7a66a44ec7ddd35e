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

/** Additional checks of a job type: for tasks when they are saved, for jobs when they start. */
export interface Admission {
  /** @throws Failure if a referenced resource does not exist or the caller may not use it */
  requireReferences(scope: ReferenceScope, parameters: JobParameters): Promise<void>;
  /** References in the options of a task, besides inputs, output and datasource. */
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
