import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { api } from '../api/api.ts';

/** The active users, as forms offer them. */
export const useUserProfiles = () =>
  useQuery({ key: ['user-profiles'], query: () => api.getUserProfiles({ query: { limit: 1000 } }) });

/** The names of the active users by their ids; of others the id. */
export function useUsernames() {
  const { data } = useUserProfiles();
  const names = computed(
    () => new Map((data.value?.items ?? []).map(({ _id, username }) => [_id, username])),
  );
  return { nameOf: (id: string) => names.value.get(id) ?? id };
}
