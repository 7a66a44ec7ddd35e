import type { LegendWords } from '@platen/styles/legend';
import type { AttributeSummary } from '@platen/styles/style-attribute';
import { i18n, language } from '../i18n/i18n.ts';
import { titleOf } from './attribute-titles.ts';

/**
 * The words of new legends: in the language of who makes the map.
 * @param known what is known of the attributes of the data
 */
export function legendWords(known: readonly AttributeSummary[] = []): LegendWords {
  const { t } = i18n.global;
  const attributes = known.map((attribute) => {
    const title = titleOf(attribute, t);
    return title === undefined ? attribute : { ...attribute, title };
  });
  return {
    locale: language.value,
    others: t('map-styles.others'),
    noValue: t('map-styles.noValue'),
    attributes,
  };
}
