import { useQuery } from '@pinia/colada';
import { computed, onScopeDispose, toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';
import { progressOf, shareOf } from '../live/progress.ts';
import { usePermissions } from '../page/use-project.ts';
import { reportActivities } from '../page/activities.ts';
import { jobTypeName } from '../job-names/job-names.ts';

/** Users do not read more than this one by one. */
const limit = 20;

/** The jobs now running in a project, with their progress. */
export function useRunningJobs(projectId: MaybeRefOrGetter<string>) {
  const { may } = usePermissions(projectId);
  const { data } = useQuery({
    key: () => projectKey(toValue(projectId), 'job', 'running'),
    enabled: () => may('getJob'),
    query: () =>
      api.getProjectJobs({ params: { projectId: toValue(projectId) }, query: { state: ['running'], limit } }),
  });
  return computed(() =>
    (data.value?.items ?? []).map((job) => ({
      id: job._id,
      name: jobTypeName(job.jobType),
      share: shareOf(progressOf(job._id) ?? job.progress),
      to: { name: 'job', params: { projectId: job.projectId, jobId: job._id } },
    })),
  );
}

/** Reports running jobs to the activity indicator while the component is mounted. */
export function reportRunningJobs(projectId: MaybeRefOrGetter<string>): void {
  reportActivities('jobs', useRunningJobs(projectId));
  onScopeDispose(() => reportActivities('jobs', undefined));
}
