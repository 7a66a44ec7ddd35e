import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { styleItem } from '@platen/styles/style-item';
import { colourBy, suggestedAttributes } from '@platen/styles/style-attribute';
import type { LegendWords } from '@platen/styles/legend';
import type { StyledData } from '../map-styles/use-styled-data.ts';

/** More colours are hard to tell apart at a glance. */
const maxCategories = 12;

/** Colours by the most informative attribute of few values, with a legend; undefined if there is none. */
export function informativeStyle(
  { attributes, shape }: StyledData,
  words: LegendWords,
): FreeForm | undefined {
  const attribute = suggestedAttributes(attributes).find(({ count }) => count <= maxCategories);
  return attribute && styleItem({ colour: colourBy(attribute) }, shape, words);
}

/** Whether nobody has chosen the style of a datasource's layer: jobs give plain colours to data of one layer. */
export const isPlain = (
  { typeProperties }: Pick<Datasource, 'typeProperties'>,
  { style }: FreeForm,
): boolean =>
  typeProperties['style'] === undefined &&
  (style === undefined || (style as { type?: unknown }).type === 'VectorStyleItem');
