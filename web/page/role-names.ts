import { i18n } from '../i18n/i18n.ts';

const known = (name: string, part: string) => {
  const key = `members.roles.${name}.${part}`;
  return i18n.global.te(key) ? i18n.global.t(key) : undefined;
};

/** The role's display name. */
export const roleName = (name: string) => known(name, 'name') ?? name;
export const roleText = (name: string) => known(name, 'text') ?? '';
