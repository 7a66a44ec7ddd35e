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

type Named = Pick<AttributeSummary, 'name' | 'title'>;

/** Says what people call attributes: by their title, in words for those of points, or by their name. */
export function useAttributeTitles() {
  const { t } = useI18n();
  return (attribute: Named): string => titleOf(attribute, t) ?? attribute.name;
}

/** The title, also in words for attributes of points. */
export const titleOf = ({ name, title }: Named, t: (key: string) => string): string | undefined =>
  title ?? (pointAttributes.has(name) ? t(`map-styles.pointAttributes.${name}`) : undefined);
