import type { Module } from '@platen/contract/modules';
import { useQuery } from '@pinia/colada';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { nullIfMissing } from '../api/failure.ts';
import { projectKey } from '../live/keys.ts';

/** The readable modules among these ids. */
export function useModules(projectId: MaybeRefOrGetter<string>, ids: MaybeRefOrGetter<readonly string[]>) {
  const { data, error } = useQuery({
    key: () => projectKey(toValue(projectId), 'module', 'of', [...toValue(ids)].toSorted()),
    enabled: () => toValue(ids).length > 0,
    placeholderData: (before) => before,
    query: async (): Promise<readonly Module[]> => {
      const found = await Promise.all(toValue(ids).map((id) => read(toValue(projectId), id)));
      return found.filter((module) => module !== null);
    },
  });
  return { modules: computed(() => data.value ?? []), error };
}

const read = (projectId: string, moduleId: string): Promise<Module | null> =>
  api.getProjectModule({ params: { projectId, moduleId } }).catch(nullIfMissing);
