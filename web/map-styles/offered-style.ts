import type { Datasource } from '@platen/contract/datasources';
import { namedStylesOf } from '@platen/contract/named-styles';
import type { FreeForm } from '@platen/contract/schema';

/**
 * A layer of a datasource without the style that the datasource gives it: in apps it has that of the datasource as it is
 * then, and visitors can switch to the others.
 */
export function withoutOfferedStyle(
  layer: FreeForm,
  { properties, typeProperties }: Pick<Datasource, 'properties' | 'typeProperties'>,
): FreeForm {
  if (typeProperties['style'] !== undefined || namedStylesOf(properties).length === 0) return layer;
  const { style: _, ...others } = layer;
  return others;
}
