import { jobStates } from '@platen/contract/jobs';
import { scheduleTypes } from '@platen/contract/schedules';
import type { TaskListQuery } from '@platen/contract/tasks';

/** As they stand in the address, which anyone may have typed. */
type Filters = Readonly<Record<string, string | undefined>>;

/** The list query; impossible values are omitted. */
export function filterQuery({ type, schedule, state, label }: Filters): Partial<TaskListQuery> {
  const ofSchedule = scheduleTypes.find((one) => one === schedule);
  const ofJob = jobStates.find((one) => one === state);
  return {
    ...(type && { jobType: [type] }),
    ...(label && { label: [label] }),
    ...(ofSchedule && { scheduleType: [ofSchedule] }),
    ...(schedule === 'suspended' && { suspended: true }),
    ...(ofJob && { state: [ofJob] }),
  };
}
