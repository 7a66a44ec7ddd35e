import type { App } from '@platen/contract/apps';
import { useQuery } from '@pinia/colada';
import { computed, ref, type Ref } from 'vue';
import { api } from '../../api/api.ts';
import { projectKey } from '../../live/keys.ts';

/** The apps that show a module, and the one whose base maps lie below it in the editor: the newest, or a chosen one. */
export function useShowingApp(projectId: Readonly<Ref<string>>, moduleId: string) {
  const { data: uses, error: usesError } = useQuery({
    key: () => projectKey(projectId.value, 'app', 'uses of module', moduleId),
    query: () =>
      api.getProjectModuleUsedBy({
        params: { projectId: projectId.value, moduleId },
        query: { limit: 1000 },
      }),
  });
  const apps = computed(() => {
    const found = uses.value?.items.filter(({ type }) => type === 'app');
    return found && [...new Map(found.map((use) => [use._id, use])).values()];
  });
  const chosen = ref<string>();
  const appId = computed({
    get: () => {
      const ids = apps.value?.map(({ _id }) => _id) ?? [];
      // ids begin with the time
      return ids.find((id) => id === chosen.value) ?? ids.toSorted().at(-1);
    },
    set: (id) => (chosen.value = id),
  });
  const { data: app, error: appError } = useQuery({
    key: () => projectKey(projectId.value, 'app', appId.value ?? ''),
    enabled: () => appId.value !== undefined,
    query: (): Promise<App> =>
      api.getProjectApp({ params: { projectId: projectId.value, appId: appId.value! } }),
  });
  const error = computed(() => usesError.value ?? (app.value ? null : appError.value));
  /** Null: those of a new map; undefined: not known yet. */
  const baseMaps = computed(() => {
    const isNone = apps.value?.length === 0 || error.value;
    return app.value?.baseMaps ?? (isNone ? null : undefined);
  });
  return { apps, appId, app, baseMaps, error };
}
