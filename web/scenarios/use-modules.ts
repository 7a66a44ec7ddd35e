import type { Module } from '@platen/contract/modules';
import { useQuery } from '@pinia/colada';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { isMissing } from '../api/failure.ts';
import { projectKey } from '../live/keys.ts';

/** The readable modules among these ids. */
export function useModules(projectId: MaybeRefOrGetter<string>, ids: MaybeRefOrGetter<readonly string[]>) {
  const { data, error } = useQuery({
    key: () => projectKey(toValue(projectId), 'module', 'of', [...toValue(ids)].toSorted()),
    enabled: () => toValue(ids).length > 0,
    placeholderData: (before) => before,
    query: async (): Promise<readonly Module[]> => {
      const found = await Promise.all(toValue(ids).map((id) => read(toValue(projectId), id)));
      return found.filter((module) => module !== undefined);
    },
  });
  return { modules: computed(() => data.value ?? []), error };
}

async function read(projectId: string, moduleId: string): Promise<Module | undefined> {
  try {
    return await api.getProjectModule({ params: { projectId, moduleId } });
  } catch (failure) {
    if (isMissing(failure)) return undefined;
    throw failure;
  }
}
