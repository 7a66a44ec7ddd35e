import { i18n } from '../i18n/i18n.ts';
import { formatNumber } from '../i18n/format.ts';
import type { Problem } from './problems.ts';

/** What is wrong and what would be right, in the user's language. */
export function describeProblem({ keyword, limit, detail }: Problem): string {
  if (detail !== undefined) return detail;
  const { t } = i18n.global;
  const key = `schema-form.problems.${keyword}`;
  if (keyword === 'type') {
    const typed = `schema-form.types.${String(limit)}`;
    return t(i18n.global.te(typed) ? typed : 'schema-form.problems.other');
  }
  if (!i18n.global.te(key)) return t('schema-form.problems.other');
  const isCount = keyword.endsWith('Length') || keyword.endsWith('Items');
  const shown =
    typeof limit === 'number' ? formatNumber(limit) : Array.isArray(limit) ? limit.join(', ') : '';
  return isCount ? t(key, { n: shown }, Number(limit)) : t(key, { limit: shown });
}
