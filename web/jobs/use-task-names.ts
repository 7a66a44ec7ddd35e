import { useQuery } from '@pinia/colada';
import { computed, type Ref } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';

/** The maximum of one answer; for other tasks the job type is enough. */
const limit = 1000;

/** The names of the tasks of a project by their ids. */
export function useTaskNames(projectId: Ref<string>) {
  const { data } = useQuery({
    key: () => projectKey(projectId.value, 'task', 'names'),
    query: () =>
      api.getProjectTasks({
        params: { projectId: projectId.value },
        query: { limit, orderBy: ['updatedAt'], sort: 'desc' },
      }),
  });
  return computed(() => new Map((data.value?.items ?? []).map(({ _id, name }) => [_id, name])));
}
