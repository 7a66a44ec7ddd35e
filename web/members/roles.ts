import { useQuery } from '@pinia/colada';
import type { Role } from '@platen/contract/iam';
import { computed } from 'vue';
import { api } from '../api/api.ts';
import { i18n } from '../i18n/i18n.ts';

const known = (name: string, part: string) => {
  const key = `members.roles.${name}.${part}`;
  return i18n.global.te(key) ? i18n.global.t(key) : undefined;
};

/** The role's display name. */
export const roleName = (name: string) => known(name, 'name') ?? name;
export const roleText = (name: string) => known(name, 'text') ?? '';

/** All roles, and those that can be granted in a project, fewest rights first. */
export function useRoles() {
  const { data } = useQuery({ key: ['roles'], query: () => api.getIamRoles({ query: { limit: 1000 } }) });
  const roles = computed<readonly Role[]>(() =>
    (data.value?.items ?? []).toSorted((a, b) => a.permissions.length - b.permissions.length),
  );
  const projectRoles = computed(() =>
    roles.value.filter(({ permissions }) => permissions.includes('getProject')),
  );
  return { roles, projectRoles };
}
