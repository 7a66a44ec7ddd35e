import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { api } from '../api/api.ts';
import { useRouteParam } from './use-route-param.ts';

/** The active users, for forms. */
export const useUserProfiles = () =>
  useQuery({ key: ['user-profiles'], query: () => api.getUserProfiles({ query: { limit: 1000 } }) });

/** Names of active users, and of the tokens that the project of the page has or had, by id; for others the id. */
export function useUsernames() {
  const { data: users } = useUserProfiles();
  const projectId = useRouteParam('projectId');
  const { data: tokens } = useQuery({
    key: () => ['access-tokens', projectId.value, 'names'],
    enabled: () => projectId.value !== '',
    query: () =>
      api.getProjectAccessTokenNames({ params: { projectId: projectId.value }, query: { limit: 1000 } }),
  });
  const names = computed(
    () =>
      new Map([
        ...(users.value?.items ?? []).map(({ _id, username }): [string, string] => [_id, username]),
        ...(tokens.value?.items ?? []).map(({ userId, name }): [string, string] => [userId, name]),
      ]),
  );
  return { nameOf: (id: string) => names.value.get(id) ?? id };
}
