import type { CategoryValue, Hatch, MapStyle, StyledShape } from '@platen/contract/map-styles';
import { parseColour } from '@platen/geo/canvas/colour';
import { hatchColourOf, outlineOf } from './outline-colour.ts';
import { defaultOpacity, defaultOutlineWidth, styleDefaults } from './style-defaults.ts';

type Drawn = Required<Hatch>;

/** A hatch with its defaults, on an area of a colour. */
export const fullHatch = ({ type, colour, width, spacing }: Hatch, area: string): Drawn => ({
  type,
  colour: colour ?? hatchColourOf(area),
  width: width ?? styleDefaults.hatchWidth,
  spacing: spacing ?? styleDefaults.hatchSpacing,
});

/**
 * The hatch of a style that a VectorStyleItem draws, with its defaults. VC Map has patterns only for areas of one colour: not
 * for colours by an attribute, conditions or labels, which are expressions.
 * @returns undefined if the style has none, or another one
 */
export function hatchOf(style: MapStyle, shape: StyledShape): Drawn | undefined {
  const { hatch, colour } = style;
  if (!hatch || colour.type !== 'single' || !isHatchForAll(style, shape)) return undefined;
  return fullHatch(hatch, colour.colour);
}

/** Whether every viewer with VC Map draws a hatch of the style. */
export const isHatchForAll = ({ colour, filter, label }: MapStyle, shape: StyledShape): boolean =>
  shape === 'area' && colour.type === 'single' && !label && (filter ?? []).length === 0;

/** A hatch of features whose attribute has one of the values, or of all; the first one that is for a feature is drawn. */
interface HatchOfFeatures {
  readonly attribute?: string;
  readonly values?: readonly CategoryValue[];
  readonly pattern: ReturnType<typeof patternOf>;
}

/** The hatches that pages of Platen draw over expressions, see viewer/hatches.ts. */
export function hatchesOf(style: MapStyle, shape: StyledShape): HatchOfFeatures[] {
  const { colour, hatch } = style;
  if (shape !== 'area') return [];
  const ofAll = (area: string) => (hatch ? [{ pattern: patternOf(fullHatch(hatch, area)) }] : []);
  if (colour.type === 'single') return ofAll(colour.colour);
  if (colour.type !== 'categories') return ofAll(styleDefaults.colour);
  const { attribute, others } = colour;
  const ofCategories = colour.categories.flatMap(({ values, hatch: own = hatch, colour: area }) =>
    own ? [{ attribute, values, pattern: patternOf(fullHatch(own, area)) }] : [],
  );
  return [...ofCategories, ...ofAll(others?.colour ?? styleDefaults.colour)];
}

/** `FillPattern` of VC Map, whose names are of the other diagonals: canvases have y down. */
const patternTypes: Readonly<Record<Hatch['type'], number>> = {
  slash: 1,
  backslash: 2,
  diagonalCross: 3,
  vertical: 4,
  horizontal: 5,
  cross: 6,
};

const patternOf = ({ type, colour, width, spacing }: Drawn) => ({
  type: patternTypes[type],
  color: colour,
  width,
  size: spacing,
});

/** The fill of a VectorStyleItem or of a row of a legend. */
export const hatchFill = (hatch: Drawn, fill: string) => ({ color: fill, pattern: patternOf(hatch) });

/** Options of a VectorStyleItem of VC Map that draws a style with a hatch. */
export function hatchedStyle(style: MapStyle, hatch: Drawn) {
  const { colour, outline, opacity = defaultOpacity('area') } = style;
  const hex = colour.type === 'single' ? colour.colour : styleDefaults.colour;
  const fill = `rgba(${[...parseColour(hex), Math.round(opacity * 100) / 100].join(', ')})`;
  const stroke = outline ?? { colour: outlineOf(hex), width: defaultOutlineWidth('area') };
  return {
    fill: hatchFill(hatch, fill),
    ...(outline !== null && stroke.width > 0 && { stroke: { color: stroke.colour, width: stroke.width } }),
  };
}
