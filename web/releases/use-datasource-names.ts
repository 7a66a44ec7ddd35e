import { useQuery } from '@pinia/colada';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';

/** Names of a project's datasources by id; undefined for deleted ones. */
export function useDatasourceNames(projectId: MaybeRefOrGetter<string>) {
  const { data } = useQuery({
    key: () => projectKey(toValue(projectId), 'datasource', 'names'),
    query: () =>
      api.getProjectDatasources({ params: { projectId: toValue(projectId) }, query: { limit: 1000 } }),
  });
  const names = computed(() => new Map((data.value?.items ?? []).map(({ _id, name }) => [_id, name])));
  return { nameOf: (id: string) => names.value.get(id) };
}
