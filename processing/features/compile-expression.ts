import { createExpression, featureFilter, expression as library } from '@maplibre/maplibre-gl-style-spec';
import { analyseExpression, invalidExpression, isLabel } from './analyse-expression.ts';

/** The part of a feature that expressions see. */
export interface ExpressionFeature {
  type: 'Unknown' | 'Point' | 'LineString' | 'Polygon';
  id: string | number | undefined;
  properties: Record<string, unknown>;
}

/** @throws Error with a message for users if the feature does not fit the expression */
export type EvaluateExpression = (feature: ExpressionFeature) => unknown;

export type ResultType = 'any' | 'boolean' | 'number';

const globals = { zoom: 0 };

/**
 * Compiles an expression of the MapLibre style specification.
 * @param pointer JSON pointer to the expression, for messages
 * @throws JobFailure `invalidExpression`
 */
export function compileExpression(source: unknown, result: ResultType, pointer: string): EvaluateExpression {
  const { maxTextLength, reads } = analyseExpression(source, pointer, 'expression');
  const padded = padPairs(source, { all: true, any: false });
  const compiled = attempt(() => createExpression(padded, pointer, specificationOf(result)), pointer);
  if (compiled.result === 'error') {
    const { key, message } = compiled.value[0]!;
    throw invalidExpression(pointer + key.replaceAll('[', '/').replaceAll(']', ''), message);
  }
  const parsed = compiled.value;
  const evaluate: EvaluateExpression = (feature) => parsed.evaluateWithoutErrorHandling(globals, feature);
  if (maxTextLength === undefined) return evaluate;
  return (feature) => {
    checkTextLength(feature.properties, reads, maxTextLength);
    return evaluate(feature);
  };
}

/**
 * Compiles a filter: an expression or the older form `["==", "class", "road"]`. @throws JobFailure `invalidExpression`
 */
export function compileFilter(source: unknown, pointer: string): EvaluateExpression {
  if (source === null || typeof source === 'boolean') return () => source ?? true;
  if (!Array.isArray(source)) throw invalidExpression(pointer, 'a filter is an array');
  if (attempt(() => library.isExpressionFilter(source), pointer)) {
    return compileExpression(source, 'boolean', pointer);
  }
  analyseExpression(source, pointer, 'oldFilter');
  // The library sorts long lists in place, so it gets a copy.
  const padded = padPairs(structuredClone(source), { all: ['all'], any: ['any'], none: ['any'] });
  const { filter } = attempt(
    () => featureFilter(padded as Parameters<typeof featureFilter>[0], pointer),
    pointer,
  );
  return (feature) => filter(globals, feature);
}

/**
 * Adds a third, neutral condition to every `all` and `any` with two. The library parses a pair in two ways and repeats
 * both for everything nested in it, so an error in nested pairs would take 3^depth steps.
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

/**
 * The library throws for operators named like JavaScript's own properties, and for broken filters of the older form.
 */
function attempt<T>(parse: () => T, pointer: string): T {
  try {
    return parse();
  } catch (error) {
    const detail = error instanceof Error ? ` (${error.message})` : '';
    throw invalidExpression(pointer, `no valid expression${detail}`);
  }
}

function checkTextLength(
  properties: Record<string, unknown>,
  reads: ReadonlySet<string> | undefined,
  maxLength: number,
): void {
  for (const name of reads ?? Object.keys(properties)) {
    const value = properties[name];
    const isLong =
      typeof value === 'string'
        ? value.length > maxLength
        : typeof value === 'object' && value !== null && measure(value, maxLength, 0) > maxLength;
    if (isLong) throw new Error(`the attribute "${name}" has more than ${maxLength} characters`);
  }
}

/** Approximate number of characters as JSON; stops as soon as the limit is exceeded. */
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
