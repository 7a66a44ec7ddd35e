import type { AttributeSummary } from '@platen/styles/style-attribute';
import { useI18n } from 'vue-i18n';

/** The attributes of points that have words. */
const pointAttributes = new Set([
  'CLASSIFICATION',
  'INTENSITY',
  'RETURN_NUMBER',
  'NUMBER_OF_RETURNS',
  'GPS_TIME',
  'POINT_SOURCE',
  'USER_DATA',
  'SCAN_ANGLE',
  'INFRARED',
  'HEIGHT',
  'DISTANCE',
]);

/** Says what people call attributes: by their title, in words for those of points, or by their name. */
export function useAttributeTitles() {
  const { t } = useI18n();
  return ({ name, title }: Pick<AttributeSummary, 'name' | 'title'>): string =>
    title ?? (pointAttributes.has(name) ? t(`map-styles.pointAttributes.${name}`) : name);
}
