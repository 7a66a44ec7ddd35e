import type { Inspection } from '@platen/contract/inspect';
import type { JobType } from '@platen/contract/job-types';
import type { Schedule } from '@platen/contract/schedules';
import type { NewTask, Task } from '@platen/contract/tasks';
import { nameOf } from '../inspect/new-datasource.ts';
import { plainName } from '../job-names/plain-name.ts';

/** The editable parts of a task. */
export interface TaskDraft {
  readonly name: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly priority: number;
  readonly debugLevel: number;
  /** 0 stands for the service's default. */
  readonly timeoutSeconds: number;
  readonly schedule: Schedule;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export const draftOf = (task: Task): TaskDraft => ({
  name: task.name,
  description: task.description,
  labels: task.labels,
  priority: task.priority,
  debugLevel: task.debugLevel,
  timeoutSeconds: task.timeoutSeconds ?? 0,
  schedule: task.schedule,
  parameters: task.parameters,
});

export const emptyDraft: TaskDraft = {
  name: '',
  description: '',
  labels: [],
  priority: 0,
  debugLevel: 0,
  timeoutSeconds: 0,
  schedule: { type: 'immediate' },
  parameters: {},
};

export function newTaskOf(jobType: string, { timeoutSeconds, ...draft }: TaskDraft): NewTask {
  return {
    ...draft,
    labels: [...draft.labels],
    jobType,
    ...(timeoutSeconds > 0 && { timeoutSeconds }),
  };
}

export interface ChosenInput {
  readonly dataBucketId: string;
  readonly dataBucketKey: string;
}

/** The initial parameters: the chosen file with those that belong to it, its inspection's suggestions, and a datasource named after it. */
export function firstParameters(
  { jobType, datasourceTypes }: Pick<JobType, 'jobType' | 'datasourceTypes'>,
  input: ChosenInput | undefined,
  inspection: Pick<Inspection, 'suggestion' | 'companions'> = {},
): Readonly<Record<string, unknown>> {
  const { suggestion, companions = [] } = inspection;
  const isSuggested = suggestion !== undefined && plainName(suggestion.jobType) === plainName(jobType);
  const options = {
    ...(input && { input: inputsOf(input, companions) }),
    ...(isSuggested && suggestion.options),
  };
  const name = input && nameOf(input.dataBucketKey);
  const datasource = { command: 'create', ...(name && { name }) };
  return { ...(datasourceTypes.length > 0 && { datasource }), options };
}

/** The file, followed by those beside it that belong to it. */
function inputsOf({ dataBucketId, dataBucketKey }: ChosenInput, companions: readonly string[]): object {
  const sourceOf = (key: string) => ({ type: 'internal', dataBucketId, dataBucketKey: key });
  const sources = [dataBucketKey, ...companions].map(sourceOf);
  return sources.length === 1 ? sources[0]! : sources;
}

/** Whether each run would create another datasource. */
export function createsDatasourceEachRun({
  schedule,
  parameters,
}: Pick<TaskDraft, 'schedule' | 'parameters'>): boolean {
  const { command } = (parameters['datasource'] ?? {}) as { command?: unknown };
  return schedule.type === 'cron' && command === 'create';
}
