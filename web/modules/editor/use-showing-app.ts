import type { App } from '@platen/contract/apps';
import { useQuery } from '@pinia/colada';
import { computed, type Ref } from 'vue';
import { api } from '../../api/api.ts';
import { projectKey } from '../../live/keys.ts';

/** The apps that show a module, and the app itself where it is only one. */
export function useShowingApp(projectId: Readonly<Ref<string>>, moduleId: string) {
  const { data: uses, error } = useQuery({
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
  const appId = computed(() => (apps.value?.length === 1 ? apps.value[0]!._id : undefined));
  const appKey = () => projectKey(projectId.value, 'app', appId.value ?? '');
  const params = () => ({ projectId: projectId.value, appId: appId.value! });
  const { data: app } = useQuery({
    key: appKey,
    enabled: () => appId.value !== undefined,
    query: (): Promise<App> => api.getProjectApp({ params: params() }),
  });
  return { apps, app, appKey, params, error };
}
