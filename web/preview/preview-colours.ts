import type { ColourRule } from '@platen/contract/map-styles';
import { summariseAttributes } from '@platen/styles/attribute-summaries';
import { colourExpression } from '@platen/styles/exchange/mapbox/colour-expression';
import { outlineOf } from '@platen/styles/outline-colour';
import { suggestedAttributes, type AttributeSummary } from '@platen/styles/style-attribute';
import { withColours } from '@platen/styles/with-colours';
import type { Feature } from 'geojson';
import type { ExpressionSpecification } from 'maplibre-gl';

/** The attributes of features that colours can show, the most informative first. */
export const attributesOf = (features: readonly Feature[]): AttributeSummary[] =>
  suggestedAttributes(summariseAttributes(features.map(({ properties }) => ({ ...properties }))));

/** The colours of features and of their outlines, as their published map has them. */
export function coloursOf(rule: ColourRule): {
  readonly colour: ExpressionSpecification;
  readonly edge: ExpressionSpecification;
} {
  return { colour: expressionOf(rule), edge: expressionOf(withColours(rule, outlineOf)) };
}

const expressionOf = (rule: ColourRule) => ['to-color', colourExpression(rule)] as ExpressionSpecification;
