import type { FreeForm } from '@platen/contract/schema';
import type { JobRow } from '../store.ts';
import { checkParameters, sourcesOf, type InputSource } from './check-parameters.ts';

/** The sources of a job: of a task from its parameters, of an inspection the listed ones. */
export function inputsOfJob({
  task_id: taskId,
  job_type: jobType,
  parameters,
}: Pick<JobRow, 'task_id' | 'job_type' | 'parameters'>): readonly InputSource[] {
  if (taskId !== null) return checkParameters(jobType, parameters).inputs;
  const { options } = parameters as { options: FreeForm };
  return sourcesOf(options['input']);
}
