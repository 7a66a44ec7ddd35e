import type { App } from '@platen/contract/apps';
import { useQuery, useQueryCache } from '@pinia/colada';
import { computed, shallowRef, toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { isConflict } from '../api/failure.ts';
import { user } from '../api/session.ts';
import { projectKey } from '../live/keys.ts';
import { usePermissions } from '../page/use-project.ts';
import type { OrderChange } from './order.ts';

type Text = MaybeRefOrGetter<string>;

export const useApp = (projectId: Text, appId: Text, enabled: () => boolean = () => true) =>
  useQuery({
    enabled,
    key: () => projectKey(toValue(projectId), 'app', toValue(appId)),
    query: () => api.getProjectApp({ params: { projectId: toValue(projectId), appId: toValue(appId) } }),
  });

/** Its modules, whole and in order, as they are now. */
export const useCompiledApp = (projectId: Text, appId: Text) =>
  useQuery({
    key: () => projectKey(toValue(projectId), 'app', toValue(appId), 'compiled'),
    query: () =>
      api.getProjectAppCompiled({ params: { projectId: toValue(projectId), appId: toValue(appId) } }),
  });

type Made = Pick<App, 'createdBy'>;

const isMine = (app: Made | undefined): boolean => app?.createdBy === user.value?._id;

/** Which apps of a project the person may read: lists hold all of them. */
export function useReadableApps(projectId: Text) {
  const { may } = usePermissions(projectId);
  return { mayRead: (app: Made | undefined): boolean => may('getApp') || isMine(app) };
}

/** What the person may do with an app, also because they made it. */
export function useAppRights(projectId: Text, app: MaybeRefOrGetter<App | undefined>) {
  const { may } = usePermissions(projectId);
  const { mayRead } = useReadableApps(projectId);
  return computed(() => {
    const made = toValue(app);
    return {
      mayRead: mayRead(made),
      mayDuplicate: may('createApp') && mayRead(made),
      mayEdit: may('editApp') || isMine(made),
      mayDelete: may('deleteApp') || isMine(made),
      mayRelease: may('publishApp') || isMine(made),
      mayPublish: may('setAppPublic'),
      mayUseDestinations: may('publishApp') && may('getCredentials'),
      maySeePeople: may('getACL'),
      mayInvite: may('grantRole'),
      mayUninvite: may('revokeRole'),
    };
  });
}
export type AppRights = ReturnType<typeof useAppRights>['value'];

const mostTries = 4;

/**
 * The modules of an app, changed at once: what is shown is the wish until it is stored. A change is a step, not a list, so
 * that it is made again on what somebody else has stored meanwhile.
 */
export function useModuleOrder(projectId: Text, app: MaybeRefOrGetter<App | undefined>) {
  const cache = useQueryCache();
  const wished = shallowRef<readonly string[]>();
  const moduleIds = computed(() => wished.value ?? toValue(app)?.moduleIds ?? []);
  let last: Promise<unknown> = Promise.resolve();

  async function store(change: OrderChange): Promise<void> {
    const { _id } = toValue(app)!;
    const key = projectKey(toValue(projectId), 'app', _id);
    const params = { projectId: toValue(projectId), appId: _id };
    for (let tries = 1; ; tries += 1) {
      const now = tries === 1 ? toValue(app)! : await api.getProjectApp({ params });
      const wanted = change(now.moduleIds);
      try {
        const headers = { 'if-match': `"${now.revision}"` };
        const stored = await api.putProjectApp({ params, body: { moduleIds: [...wanted] }, headers });
        cache.setQueryData(key, stored);
        return;
      } catch (failure) {
        if (!isConflict(failure) || tries === mostTries) throw failure;
      }
    }
  }

  /** One after the other, in the order in which they were made. @throws what the service refuses; all is as it was then */
  async function change(step: OrderChange): Promise<void> {
    wished.value = step(moduleIds.value);
    const mine = last.catch(() => {}).then(() => store(step));
    last = mine;
    try {
      await mine;
    } finally {
      if (last === mine) wished.value = undefined;
    }
  }

  return { moduleIds, change };
}
