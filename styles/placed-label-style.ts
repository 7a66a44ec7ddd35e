import type { StyledShape } from '@platen/contract/map-styles';
import { placedLabels } from '@platen/contract/placed-labels';
import { attributeValue, colourLiteral, literal, type StyleExpression } from './expression.ts';

type Drawing = Readonly<Record<string, StyleExpression>>;

const onlyLabels = `${attributeValue(placedLabels.only)} === true`;
const zoom = attributeValue(placedLabels.zoom);
const fitsNot = `${zoom} === null || ${zoom} === undefined`;
const invisible = colourLiteral('#ffffff', 0);

/**
 * A style for tiles with placed labels: labels only where they fit, as VC Map draws all that it gets, and nothing at points
 * that only say where a label is.
 */
export function withPlacedLabels(drawing: Drawing, shape: StyledShape): Drawing {
  const { labelText } = drawing;
  return {
    ...drawing,
    ...(labelText !== undefined && { labelText: unless(fitsNot, literal(''), labelText) }),
    ...(shape === 'line' || shape === 'area' ? { image: literal('') } : withoutLabelPoints(drawing)),
  };
}

/** Without pictures, points are circles of the colour. */
function withoutLabelPoints({ image, color, pointOutlineColor }: Drawing): Drawing {
  if (image !== undefined) return { image: unless(onlyLabels, literal(''), image) };
  return {
    ...(color !== undefined && { color: unless(onlyLabels, invisible, color) }),
    ...(pointOutlineColor !== undefined && {
      pointOutlineColor: unless(onlyLabels, invisible, pointOutlineColor),
    }),
  };
}

function unless(exception: string, instead: string, expression: StyleExpression): StyleExpression {
  const conditions = typeof expression === 'string' ? [['true', expression] as const] : expression.conditions;
  return { conditions: [[exception, instead], ...conditions] };
}
