import type { Hatch, MapStyle, StyledShape } from '@platen/contract/map-styles';
import { parseColour } from '@platen/geo/canvas/colour';
import { outlineOf } from './outline-colour.ts';
import { defaultOpacity, defaultOutlineWidth, styleDefaults } from './style-defaults.ts';

type Drawn = Required<Hatch>;

/**
 * The hatch that map viewers draw, with its defaults. VC Map has patterns only for areas of one colour: not for colours by
 * an attribute, conditions or labels, which are expressions.
 * @returns undefined if the style has none, or none that is drawn
 */
export function hatchOf(style: MapStyle, shape: StyledShape): Drawn | undefined {
  const { hatch, colour } = style;
  if (!hatch || !canHatch(style, shape) || colour.type !== 'single') return undefined;
  return {
    type: hatch.type,
    colour: hatch.colour ?? outlineOf(colour.colour),
    width: hatch.width ?? styleDefaults.hatchWidth,
    spacing: hatch.spacing ?? styleDefaults.hatchSpacing,
  };
}

/** Whether a hatch of the style would be drawn. */
export const canHatch = ({ colour, filter, label }: MapStyle, shape: StyledShape): boolean =>
  shape === 'area' && colour.type === 'single' && !label && (filter ?? []).length === 0;

/** `FillPattern` of VC Map, whose names are of the other diagonals: canvases have y down. */
const patternTypes: Readonly<Record<Hatch['type'], number>> = {
  slash: 1,
  backslash: 2,
  diagonalCross: 3,
  vertical: 4,
  horizontal: 5,
  cross: 6,
};

/** The fill of a VectorStyleItem or of a row of a legend. */
export const hatchFill = ({ type, colour, width, spacing }: Drawn, fill: string) => ({
  color: fill,
  pattern: { type: patternTypes[type], color: colour, width, size: spacing },
});

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
