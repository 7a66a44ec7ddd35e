import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { api } from '../api/api.ts';

/** The active users, for forms. */
export const useUserProfiles = () =>
  useQuery({ key: ['user-profiles'], query: () => api.getUserProfiles({ query: { limit: 1000 } }) });

/** Names of active users by id; for others the id. */
export function useUsernames() {
  const { data } = useUserProfiles();
  const names = computed(
    () => new Map((data.value?.items ?? []).map(({ _id, username }) => [_id, username])),
  );
  return { nameOf: (id: string) => names.value.get(id) ?? id };
}
