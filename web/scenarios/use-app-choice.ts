import { useQuery } from '@pinia/colada';
import { toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';

/** The project's apps by name, for a selection. */
export const useAppChoice = (projectId: MaybeRefOrGetter<string>) =>
  useQuery({
    key: () => projectKey(toValue(projectId), 'app', 'choice'),
    query: () =>
      api.getProjectApps({
        params: { projectId: toValue(projectId) },
        query: { limit: 1000, orderBy: ['name'], sort: 'asc' },
      }),
  });
