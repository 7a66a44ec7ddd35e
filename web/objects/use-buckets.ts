import { useQuery } from '@pinia/colada';
import { computed, type MaybeRefOrGetter, toValue } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';
import { useProject } from '../page/use-project.ts';

/** The project's data buckets, the default one first. */
export function useBuckets(projectId: MaybeRefOrGetter<string>) {
  const { data: project } = useProject(projectId);
  const { data, error, refetch } = useQuery({
    key: () => projectKey(toValue(projectId), 'data-bucket', 'list'),
    query: () =>
      api.getProjectDataBuckets({
        params: { projectId: toValue(projectId) },
        query: { limit: 1000, orderBy: ['name'] },
      }),
  });
  const defaultId = computed(() => project.value?.defaultDataBucketId);
  const buckets = computed(() => {
    const all = data.value?.items ?? [];
    return all.toSorted((a, b) => Number(b._id === defaultId.value) - Number(a._id === defaultId.value));
  });
  return { buckets, defaultId, error, refetch };
}
