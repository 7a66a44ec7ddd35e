import type { ListedObject } from '@platen/contract/object-info';
import { useI18n } from 'vue-i18n';

/** Says what is wrong with a file that holds map data; a file without is described as such instead. */
export function useProblemText() {
  const { t } = useI18n();
  return ({
    inspection,
  }: Pick<ListedObject, 'inspection'>):
    | { readonly tone: 'bad' | 'warn'; readonly text: string }
    | undefined => {
    const { isDamaged, missing, problems = 0 } = inspection?.facts ?? {};
    if (isDamaged) return { tone: 'bad', text: t('inspect.damaged') };
    if (missing === 'format') return undefined;
    if (missing !== undefined) return { tone: 'warn', text: t(`inspect.missing.${missing}`) };
    return problems > 0
      ? { tone: 'warn', text: t('inspect.problems', { n: problems }, problems) }
      : undefined;
  };
}
