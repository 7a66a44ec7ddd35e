import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { defaultLabel } from '@platen/styles/default-label';
import { styleDefaults } from '@platen/styles/style-defaults';
import { styleItem } from '@platen/styles/style-item';
import { colourBy, defaultAttribute } from '@platen/styles/style-attribute';
import type { LegendWords } from '@platen/styles/legend';
import type { StyledData } from './use-styled-data.ts';

interface InformativeOptions {
  readonly bbox?: readonly number[] | undefined;
  /** The attribute that somebody has chosen, or empty for none; undefined if nobody has. */
  readonly colouredBy?: string | undefined;
}

/**
 * Colours by the chosen attribute, or else by the most informative one of few values, with a legend, and labels of points, and
 * of areas that are not in tiles, by their name; undefined if there is neither.
 */
export function informativeStyle(
  { attributes, shape, featureCount, isTiled }: StyledData,
  { bbox, colouredBy }: InformativeOptions,
  words: LegendWords,
): FreeForm | undefined {
  // jobs give points their styles; tiles of glTF must have none
  if (shape === 'cloud') return undefined;
  const attribute =
    colouredBy === undefined
      ? defaultAttribute(attributes)
      : attributes.find(({ name }) => name === colouredBy);
  const isLabelled = shape === 'point' || (shape === 'area' && isTiled !== true);
  const label = isLabelled ? defaultLabel(attributes, { bbox, featureCount }) : undefined;
  if (attribute === undefined && label === undefined) return undefined;
  const colour = attribute
    ? colourBy(attribute)
    : ({ type: 'single', colour: styleDefaults.firstColour } as const);
  return styleItem({ colour, ...(label && { label }) }, shape, words);
}

/** Whether nobody has chosen the style of a datasource's layer: jobs give plain colours to data of one layer. */
export const isPlain = (
  { typeProperties }: Pick<Datasource, 'typeProperties'>,
  { style }: FreeForm,
): boolean =>
  typeProperties['style'] === undefined &&
  (style === undefined || (style as { type?: unknown }).type === 'VectorStyleItem');
