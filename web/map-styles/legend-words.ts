import type { LegendWords } from '@platen/styles/legend';
import { i18n, language } from '../i18n/i18n.ts';

/** The words of new legends: in the language of who makes the map. */
export function legendWords(): LegendWords {
  const { t } = i18n.global;
  return { locale: language.value, others: t('map-styles.others'), noValue: t('map-styles.noValue') };
}
