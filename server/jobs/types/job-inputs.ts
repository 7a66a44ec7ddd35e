import type { FreeForm } from '@platen/contract/schema';
import type { JobRow } from '../store.ts';
import { checkParameters, sourcesOf, type InputSource } from './check-parameters.ts';

/** What a job reads: of a task's job as its parameters say, of the service's own only the sources. */
export function inputsOfJob({
  task_id: taskId,
  job_type: jobType,
  parameters,
}: Pick<JobRow, 'task_id' | 'job_type' | 'parameters'>): readonly InputSource[] {
  if (taskId !== null) return checkParameters(jobType, parameters).inputs;
  const { options } = parameters as { options: FreeForm };
  return sourcesOf(options['input']);
}
