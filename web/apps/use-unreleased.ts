import type { App } from '@platen/contract/apps';
import { useQuery } from '@pinia/colada';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';

/** The changes since the visible release; undefined when no release is visible. */
export function useUnreleased(app: MaybeRefOrGetter<App | undefined>) {
  const shown = computed(() => {
    const { projectId, _id: appId, releaseId } = toValue(app) ?? {};
    return projectId && appId && releaseId ? { projectId, appId, releaseId } : undefined;
  });
  const { data } = useQuery({
    key: () => {
      const { projectId = '', appId = '', releaseId = '' } = shown.value ?? {};
      return projectKey(projectId, 'app', appId, 'unreleased', releaseId);
    },
    enabled: () => shown.value !== undefined,
    query: () => api.getProjectAppReleaseDiff({ params: shown.value!, query: { with: 'draft' } }),
  });
  return {
    diff: computed(() => (shown.value ? data.value : undefined)),
    hasUnreleased: computed(() => shown.value !== undefined && data.value?.isEqual === false),
  };
}
