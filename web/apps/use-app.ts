import type { App } from '@platen/contract/apps';
import { useQuery, useQueryCache } from '@pinia/colada';
import { computed, shallowRef, toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { isConflict } from '../api/failure.ts';
import { user } from '../api/session.ts';
import { projectKey } from '../live/keys.ts';
import { usePermissions } from '../page/use-project.ts';
import type { OrderChange } from './order.ts';

type Id = MaybeRefOrGetter<string>;

export const useApp = (projectId: Id, appId: Id, enabled: () => boolean = () => true) =>
  useQuery({
    enabled,
    key: () => projectKey(toValue(projectId), 'app', toValue(appId)),
    query: () => api.getProjectApp({ params: { projectId: toValue(projectId), appId: toValue(appId) } }),
  });

/** The app's modules in full and in order, as they are now. */
export const useCompiledApp = (projectId: Id, appId: Id) =>
  useQuery({
    key: () => projectKey(toValue(projectId), 'app', toValue(appId), 'compiled'),
    query: () =>
      api.getProjectAppCompiled({ params: { projectId: toValue(projectId), appId: toValue(appId) } }),
  });

type CreatedBy = Pick<App, 'createdBy'>;

const isMine = (app: CreatedBy | undefined): boolean => app?.createdBy === user.value?._id;

/** Tells which of the listed apps the user may read; lists contain all apps of a project. */
export function useReadableApps(projectId: Id) {
  const { may } = usePermissions(projectId);
  return { mayRead: (app: CreatedBy | undefined): boolean => may('getApp') || isMine(app) };
}

/** What the user may do with an app, including rights they have as its creator. */
export function useAppRights(projectId: Id, app: MaybeRefOrGetter<App | undefined>) {
  const { may } = usePermissions(projectId);
  const { mayRead } = useReadableApps(projectId);
  return computed(() => {
    const current = toValue(app);
    return {
      mayRead: mayRead(current),
      mayDuplicate: may('createApp') && mayRead(current),
      mayEdit: may('editApp') || isMine(current),
      mayDelete: may('deleteApp') || isMine(current),
      mayRelease: may('publishApp') || isMine(current),
      mayPublish: may('setAppPublic'),
      mayUseDestinations: may('publishApp') && may('getCredentials'),
      maySeePeople: may('getACL'),
      mayInvite: may('grantRole'),
      mayUninvite: may('revokeRole'),
    };
  });
}
export type AppRights = ReturnType<typeof useAppRights>['value'];

const maxAttempts = 4;

/**
 * The app's module order with optimistic updates. A change is a function rather than a list, so that it can be
 * repeated on
 * what someone else has stored in the meantime.
 */
export function useModuleOrder(projectId: Id, app: MaybeRefOrGetter<App | undefined>) {
  const cache = useQueryCache();
  const pendingIds = shallowRef<readonly string[]>();
  const moduleIds = computed(() => pendingIds.value ?? toValue(app)?.moduleIds ?? []);
  let last: Promise<unknown> = Promise.resolve();

  async function store(change: OrderChange): Promise<void> {
    const { _id } = toValue(app)!;
    const key = projectKey(toValue(projectId), 'app', _id);
    const params = { projectId: toValue(projectId), appId: _id };
    for (let tries = 1; ; tries += 1) {
      const now = tries === 1 ? toValue(app)! : await api.getProjectApp({ params });
      const changedIds = change(now.moduleIds);
      try {
        const headers = { 'if-match': `"${now.revision}"` };
        const stored = await api.putProjectApp({ params, body: { moduleIds: [...changedIds] }, headers });
        cache.setQueryData(key, stored);
        return;
      } catch (failure) {
        if (!isConflict(failure) || tries === maxAttempts) throw failure;
      }
    }
  }

  /**
   * Changes are stored one after the other, in order. @throws what the service refuses; the order is then the stored
   * one
   */
  async function change(step: OrderChange): Promise<void> {
    pendingIds.value = step(moduleIds.value);
    const mine = last.catch(() => {}).then(() => store(step));
    last = mine;
    try {
      await mine;
    } finally {
      if (last === mine) pendingIds.value = undefined;
    }
  }

  return { moduleIds, change };
}
