import { createExpression, featureFilter, expression as library } from '@maplibre/maplibre-gl-style-spec';
import { examineExpression, invalidExpression, isLabel } from './examine-expression.ts';

/** What expressions see of a feature. */
export interface ExpressionFeature {
  type: 'Unknown' | 'Point' | 'LineString' | 'Polygon';
  id: string | number | undefined;
  properties: Record<string, unknown>;
}

/** @throws Error, with words for people, where this feature does not fit the expression */
export type EvaluateExpression = (feature: ExpressionFeature) => unknown;

export type ResultType = 'any' | 'boolean' | 'number';

const globals = { zoom: 0 };

/**
 * An expression as MapLibre styles write them.
 * @param pointer JSON pointer to it, for messages
 * @throws JobFailure `invalidExpression`
 */
export function compileExpression(source: unknown, result: ResultType, pointer: string): EvaluateExpression {
  const { longestText, reads } = examineExpression(source, pointer, 'expression');
  const padded = padPairs(source, { all: true, any: false });
  const compiled = attempt(() => createExpression(padded, pointer, specificationOf(result)), pointer);
  if (compiled.result === 'error') {
    const { key, message } = compiled.value[0]!;
    throw invalidExpression(pointer + key.replaceAll('[', '/').replaceAll(']', ''), message);
  }
  const parsed = compiled.value;
  const evaluate: EvaluateExpression = (feature) => parsed.evaluateWithoutErrorHandling(globals, feature);
  if (longestText === undefined) return evaluate;
  return (feature) => {
    refuseLongText(feature.properties, reads, longestText);
    return evaluate(feature);
  };
}

/** A filter: an expression, or the older form `["==", "class", "road"]`. @throws JobFailure `invalidExpression` */
export function compileFilter(source: unknown, pointer: string): EvaluateExpression {
  if (source === null || typeof source === 'boolean') return () => source ?? true;
  if (!Array.isArray(source)) throw invalidExpression(pointer, 'a filter is an array');
  if (attempt(() => library.isExpressionFilter(source), pointer)) {
    return compileExpression(source, 'boolean', pointer);
  }
  examineExpression(source, pointer, 'oldFilter');
  // A copy, as the library sorts long lists where they are.
  const padded = padPairs(structuredClone(source), { all: ['all'], any: ['any'], none: ['any'] });
  const { filter } = attempt(
    () => featureFilter(padded as Parameters<typeof featureFilter>[0], pointer),
    pointer,
  );
  return (feature) => filter(globals, feature);
}

/**
 * Adds a third condition, which changes nothing, where `all` and `any` have two: the library has two ways to parse a
 * pair, and tries each again for all that is inside, so that a mistake in nested pairs would take 3^depth steps.
 */
function padPairs(node: unknown, padding: Readonly<Record<string, unknown>>): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (!Array.isArray(node)) {
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, padPairs(value, padding)]));
  }
  const operator: unknown = node[0];
  if (operator === 'literal') return node;
  const copy: unknown[] = node.map((child: unknown, i) =>
    isLabel(node, i) ? child : padPairs(child, padding),
  );
  const isPair = node.length === 3 && typeof operator === 'string' && Object.hasOwn(padding, operator);
  return isPair ? [...copy, padding[operator]] : copy;
}

function specificationOf(result: ResultType): Parameters<typeof createExpression>[2] {
  if (result === 'any') return null;
  return {
    type: result,
    'property-type': 'data-driven',
    transition: false,
    expression: { interpolated: false, parameters: ['feature'] },
  };
}

/** The library throws where names of JavaScript's own are used as operators, and for broken filters of the older form. */
function attempt<T>(parse: () => T, pointer: string): T {
  try {
    return parse();
  } catch (error) {
    const detail = error instanceof Error ? ` (${error.message})` : '';
    throw invalidExpression(pointer, `no valid expression${detail}`);
  }
}

function refuseLongText(
  properties: Record<string, unknown>,
  reads: ReadonlySet<string> | undefined,
  longest: number,
): void {
  for (const name of reads ?? Object.keys(properties)) {
    const value = properties[name];
    const isLong =
      typeof value === 'string'
        ? value.length > longest
        : typeof value === 'object' && value !== null && measure(value, longest, 0) > longest;
    if (isLong) throw new Error(`the attribute "${name}" has more than ${longest} characters`);
  }
}

/** Characters of JSON, roughly; no more is looked at than tells whether the limit is passed. */
function measure(value: unknown, limit: number, depth: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  if (depth > 100) return Infinity;
  let sum = 2;
  for (const key in value) {
    sum += key.length + 4 + measure((value as Record<string, unknown>)[key], limit - sum, depth + 1);
    if (sum > limit) break;
  }
  return sum;
}
