import type { Feature } from '@platen/formats/feature/feature';
import type { AttributeWriter } from './attribute-writer.ts';
import type { ExpressionFeature } from './compile-expression.ts';
import { endlessZoom, type LayerRules, type NamedExpression } from './compile-layer.ts';
import type { ModelledFeature } from './modelled-feature.ts';
import { simpleTypeOf } from './select-parts.ts';
import type { Troubles } from './troubles.ts';

/** A layer's expressions, evaluated for one feature after the other. */
export interface Evaluator {
  /** Whether the layer takes the feature; the other functions are about the feature that was asked for last. */
  accepts(feature: Feature): boolean;
  firstZoom(): number;
  /** Writes the computed attributes. */
  compute(writer: AttributeWriter, into: ModelledFeature): void;
}

export function createEvaluator(
  { filters, computed, zoomBy, minZoom }: LayerRules,
  troubles: Troubles,
): Evaluator {
  const hasExpressions = filters.length > 0 || computed.length > 0 || zoomBy !== undefined;
  const seen: ExpressionFeature = { type: 'Unknown', id: undefined, properties: {} };
  /** Undefined where it fails, too. */
  const evaluate = (expression: NamedExpression): unknown => {
    try {
      return expression.evaluate(seen);
    } catch (error) {
      troubles.expressionFailed(expression, error);
      return undefined;
    }
  };
  return {
    accepts({ geometry, id, properties }) {
      if (!hasExpressions) return true;
      seen.type = simpleTypeOf(geometry);
      seen.id = id;
      seen.properties = properties;
      for (const filter of filters) if (evaluate(filter) !== true) return false;
      return true;
    },
    firstZoom() {
      const zoom = zoomBy === undefined ? minZoom : evaluate(zoomBy);
      if (typeof zoom !== 'number' || Number.isNaN(zoom)) return minZoom;
      return Math.min(endlessZoom, Math.max(minZoom, Math.ceil(zoom)));
    },
    compute(writer, into) {
      for (const expression of computed) writer.put(expression.name, evaluate(expression), into);
    },
  };
}
