import { useQuery } from '@pinia/colada';
import type { Role } from '@platen/contract/iam';
import { computed } from 'vue';
import { api } from '../api/api.ts';

/** All roles, and those that can be granted in a project, fewest rights first. */
export function useRoles() {
  const { data } = useQuery({ key: ['roles'], query: () => api.getIamRoles({ query: { limit: 1000 } }) });
  const roles = computed<readonly Role[]>(() =>
    (data.value?.items ?? []).toSorted((a, b) => a.permissions.length - b.permissions.length),
  );
  const projectRoles = computed(() =>
    roles.value.filter(({ permissions }) => permissions.includes('getProject')),
  );
  return { roles, projectRoles };
}
