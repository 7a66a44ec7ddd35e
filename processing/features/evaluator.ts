import type { Feature } from '@platen/formats/feature/feature';
import type { AttributeWriter } from './attribute-writer.ts';
import type { ExpressionFeature } from './compile-expression.ts';
import { unboundedZoom, type LayerRules } from './compile-layer.ts';
import type { ModelledFeature } from './modelled-feature.ts';
import type { NamedExpression } from './named-expression.ts';
import { simpleTypeOf } from './select-parts.ts';
import type { FeatureWarnings } from './feature-warnings.ts';

/** Evaluates a layer's expressions, one feature at a time. */
export interface Evaluator {
  /** Whether the layer takes the feature. The other functions refer to the feature of the last call. */
  accepts(feature: Feature): boolean;
  firstZoom(): number;
  /** Writes the computed attributes. */
  compute(writer: AttributeWriter, into: ModelledFeature): void;
}

/** Returns undefined if the expression fails, too. */
export function evaluateOrWarn(
  expression: NamedExpression,
  feature: ExpressionFeature,
  warnings: FeatureWarnings,
): unknown {
  try {
    return expression.evaluate(feature);
  } catch (error) {
    warnings.expressionFailed(expression, error);
    return undefined;
  }
}

export function createEvaluator(
  { filters, computed, zoomBy, minZoom }: LayerRules,
  warnings: FeatureWarnings,
): Evaluator {
  const hasExpressions = filters.length > 0 || computed.length > 0 || zoomBy !== undefined;
  const visible: ExpressionFeature = { type: 'Unknown', id: undefined, properties: {} };
  const evaluate = (expression: NamedExpression): unknown => evaluateOrWarn(expression, visible, warnings);
  return {
    accepts({ geometry, id, properties }) {
      if (!hasExpressions) return true;
      visible.type = simpleTypeOf(geometry);
      visible.id = id;
      visible.properties = properties;
      for (const filter of filters) if (evaluate(filter) !== true) return false;
      return true;
    },
    firstZoom() {
      const zoom = zoomBy === undefined ? minZoom : evaluate(zoomBy);
      if (typeof zoom !== 'number' || Number.isNaN(zoom)) return minZoom;
      return Math.min(unboundedZoom, Math.max(minZoom, Math.ceil(zoom)));
    },
    compute(writer, into) {
      for (const expression of computed) writer.put(expression.name, evaluate(expression), into);
    },
  };
}
