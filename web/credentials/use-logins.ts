import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { api } from '../api/api.ts';
import { user } from '../api/session.ts';

export const loginsKey = ['login-credentials'];

/** The user's own logins. Super users also receive those of others, which they cannot use. */
export function useLogins() {
  const { data, error, refetch } = useQuery({
    key: loginsKey,
    query: () => api.getLoginCredentials({ query: { limit: 1000, orderBy: ['name'], sort: 'asc' } }),
  });
  const mine = computed(() => data.value?.items.filter(({ userId }) => userId === user.value?._id));
  return { mine, error, refetch };
}
