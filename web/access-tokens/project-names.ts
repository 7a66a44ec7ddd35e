import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { api } from '../api/api.ts';

/** The projects that the caller sees. @param isNeeded whether to ask for them */
export function useProjectNames(isNeeded: () => boolean) {
  const { data } = useQuery({
    key: ['projects', 'names'],
    enabled: isNeeded,
    query: () => api.getProjects({ query: { limit: 1000, orderBy: ['name'], sort: 'asc' } }),
  });
  const projects = computed(() => (data.value?.items ?? []).map(({ _id, name }) => ({ _id, name })));
  const nameOf = (id: string) => projects.value.find(({ _id }) => _id === id)?.name ?? id;
  return { projects, nameOf };
}
