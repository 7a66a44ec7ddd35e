import type { Permission } from '@platen/contract/permission';
import { useQuery } from '@pinia/colada';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { isSuperUser, user } from '../api/session.ts';
import { projectKey } from '../live/keys.ts';
import { useRouteParam } from './use-route-param.ts';

type ProjectId = MaybeRefOrGetter<string | undefined>;

/** The project id of the address, for components below `/p/:projectId`. */
export const useProjectId = () => useRouteParam('projectId');

export const useProject = (projectId: ProjectId) =>
  useQuery({
    key: () => projectKey(toValue(projectId) ?? '', 'project'),
    enabled: () => toValue(projectId) !== undefined,
    query: () => api.getProject({ params: { projectId: toValue(projectId)! } }),
  });

export const useProjectSummary = (projectId: ProjectId) =>
  useQuery({
    key: () => projectKey(toValue(projectId) ?? '', 'summary'),
    enabled: () => toValue(projectId) !== undefined,
    query: () => api.getProjectSummary({ params: { projectId: toValue(projectId)! } }),
  });

/** The user's permissions in the project; actions without permission are not offered. */
export function usePermissions(projectId: ProjectId) {
  const { data } = useQuery({
    key: () => projectKey(toValue(projectId) ?? '', 'permissions'),
    enabled: () => toValue(projectId) !== undefined && !isSuperUser.value,
    query: () =>
      api.getIamResourcePermission({ params: { principalId: user.value!._id }, query: { limit: 1000 } }),
  });
  const held = computed(
    () =>
      new Set(
        (data.value?.items ?? [])
          .filter(({ resourceId }) => resourceId === toValue(projectId))
          .flatMap(({ permissions }) => permissions),
      ),
  );
  return { may: (permission: Permission) => isSuperUser.value || held.value.has(permission) };
}
