import { JobFailure } from '../job-type.ts';

/** What is known about an expression before it sees any data. */
export interface ExpressionFacts {
  /**
   * Longest attribute text, in UTF-16 units, that the expression may be given; undefined if its cost is proportional
   * to
   * the text.
   */
  readonly maxTextLength: number | undefined;
  /** The attributes that the expression reads; undefined: any of them. */
  readonly reads: ReadonlySet<string> | undefined;
}

/** Far more than people write, far less than the call stack allows. */
const maxDepth = 40;
/**
 * Maximum steps of one evaluation. Each `var` counts as the expression it is bound to, because the library evaluates
 * that again.
 */
const maxSteps = 10_000;
/** Maximum total length of the text that one evaluation may hold. */
const maxTextLength = 10_000_000;
/** The maximum for expressions that search for one text in another, whose cost can be the product of both lengths. */
const maxSearchedTextLength = 50_000;
const maxNeedleLength = 256;

const unavailableOperators: Readonly<Record<string, string>> = {
  zoom: 'features are prepared once for all zooms. Use minZoom, maxZoom or zoomBy of a layer',
  within: 'positions cannot be tested here',
  distance: 'positions cannot be tested here',
  'feature-state': 'there is no feature state here',
  'global-state': 'there is no global state here',
  accumulated: 'clusters are described by processing.cluster.aggregates',
  'heatmap-density': 'it is for styles only',
  'line-progress': 'it is for styles only',
  elevation: 'it is for styles only',
  'is-supported-script': 'it is for styles only',
  image: 'it is for styles only',
  format: 'it is for styles only. Use "concat" to join texts',
  // The library caches every colour it has parsed; without these operators it parses none.
  rgb: 'colours belong into the style',
  rgba: 'colours belong into the style',
  'to-color': 'colours belong into the style',
  'to-rgba': 'colours belong into the style',
  'interpolate-hcl': 'colours belong into the style',
  'interpolate-lab': 'colours belong into the style',
};
const textOperators = new Set([
  'concat',
  'downcase',
  'in',
  'index-of',
  'join',
  'length',
  'number-format',
  'semiliteral',
  'slice',
  'split',
  'to-string',
  'upcase',
]);

/**
 * Rejects operators that have no meaning here, and expressions whose cost could explode: single operators are linear
 * in
 * their input, but nested `let` and `var` can double the work, and the text, at each level.
 * @param pointer JSON pointer to the expression, for messages
 * @throws JobFailure `invalidExpression`
 */
export function analyseExpression(expression: unknown, pointer: string, syntax: Syntax): ExpressionFacts {
  const analysis: Analysis = { syntax, reads: new Set(), readsAny: false, text: false, search: false };
  const steps = countSteps(expression, { analysis, pointer, depth: 0, variables: new Map() });
  const budget = analysis.search ? maxSearchedTextLength : maxTextLength;
  return {
    maxTextLength: analysis.text ? Math.floor(budget / steps) : undefined,
    reads: analysis.readsAny ? undefined : analysis.reads,
  };
}

/** Filters of the older form name attributes without `get`. */
export type Syntax = 'expression' | 'oldFilter';

interface Analysis {
  readonly syntax: Syntax;
  readonly reads: Set<string>;
  readsAny: boolean;
  /** Whether the expression does more with text than compare it and pass it on. */
  text: boolean;
  /** Whether the expression searches for an unknown text in another text. */
  search: boolean;
}

interface Position {
  readonly analysis: Analysis;
  readonly pointer: string;
  readonly depth: number;
  /** The steps of the expression that each variable is bound to. */
  readonly variables: ReadonlyMap<string, number>;
}

/** @returns at least 1 */
function countSteps(node: unknown, position: Position): number {
  const { pointer, depth } = position;
  if (depth > maxDepth) throw invalidExpression(pointer, `nested more than ${maxDepth} deep`);
  let steps = 1;
  if (typeof node === 'string') steps += node.length >> 6;
  else if (Array.isArray(node)) steps += countArraySteps(node, position);
  else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node))
      steps += countSteps(value, below(position, key)) + (key.length >> 6);
  }
  if (steps > maxSteps) throw invalidExpression(pointer, `more than ${maxSteps} steps to evaluate`);
  return steps;
}

function countArraySteps(node: readonly unknown[], position: Position): number {
  const { analysis, pointer, variables } = position;
  const [operator, first] = node;
  if (typeof operator === 'string' && Object.hasOwn(unavailableOperators, operator)) {
    throw invalidExpression(pointer, `"${operator}" cannot be used: ${unavailableOperators[operator]}`);
  }
  if (operator === 'literal') return countData(node.slice(1), position);
  if (operator === 'let') return countLetSteps(node, position);
  if (operator === 'var') return variables.get(String(first)) ?? 0;
  if (analysis.syntax === 'expression') checkConstants(node, pointer);
  recordReads(node, analysis);
  let steps = 0;
  for (let i = 1; i < node.length; i++) {
    const inner = below(position, i);
    steps += isLabel(node, i) ? countData(node[i], inner) : countSteps(node[i], inner);
  }
  return steps;
}

function countLetSteps(node: readonly unknown[], position: Position): number {
  const variables = new Map(position.variables);
  let steps = 0;
  for (let i = 1; i + 1 < node.length; i += 2) {
    const bound = countSteps(node[i + 1], below(position, i + 1));
    variables.set(String(node[i]), bound);
    steps += bound;
  }
  return steps + countSteps(node.at(-1), { ...below(position, node.length - 1), variables });
}

/** Counts the steps of literal data, which is held but not evaluated. */
function countData(data: unknown, position: Position): number {
  const { pointer, depth } = position;
  if (depth > maxDepth) throw invalidExpression(pointer, `nested more than ${maxDepth} deep`);
  if (typeof data === 'string') return data.length >> 6;
  if (typeof data !== 'object' || data === null) return 0;
  let steps = Math.ceil(Object.keys(data).length / 64);
  for (const value of Object.values(data)) {
    if (typeof value === 'string') steps += value.length >> 6;
    else if (typeof value === 'object') steps += countData(value, { ...position, depth: depth + 1 });
  }
  return steps;
}

const comparisons = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', '!in']);

/** Among newer filters, the older form would silently compare the name of an attribute instead of its value. */
function checkConstants(node: readonly unknown[], pointer: string): void {
  const [operator, first, second] = node;
  if (!comparisons.has(operator as string) || typeof first !== 'string' || typeof second === 'object') return;
  const advice = `To compare an attribute, write ["${String(operator)}", ["get", ${JSON.stringify(first)}], …]`;
  throw invalidExpression(pointer, `compares two constants. ${advice}`);
}

function recordReads(node: readonly unknown[], analysis: Analysis): void {
  const [operator, first, second] = node;
  if (textOperators.has(operator as string)) analysis.text = true;
  const isLookUp = operator === 'get' || operator === 'has';
  if (operator === 'properties' || (isLookUp && typeof first !== 'string')) analysis.readsAny = true;
  else if (isLookUp && node.length === 2) analysis.reads.add(first as string);
  const isIn = operator === 'in' || operator === 'index-of';
  const needle = isIn ? first : operator === 'split' ? second : '';
  const isList = isIn && Array.isArray(second) && second[0] === 'literal';
  if (!isList && !isPlainNeedle(needle)) analysis.search = true;
}

function isPlainNeedle(needle: unknown): boolean {
  return typeof needle === 'string' ? needle.length <= maxNeedleLength : typeof needle !== 'object';
}

/** Whether this element is a label of `match`, which is compared and not evaluated. */
export function isLabel(node: readonly unknown[], index: number): boolean {
  return node[0] === 'match' && index % 2 === 0 && index < node.length - 1;
}

function below(position: Position, key: string | number): Position {
  return { ...position, pointer: pointTo(position.pointer, key), depth: position.depth + 1 };
}

/** Appends a key to a JSON pointer (RFC 6901). */
export function pointTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function invalidExpression(pointer: string, message: string): JobFailure {
  return new JobFailure('invalidExpression', `${pointer}: ${message.replace(/\.$/, '')}.`);
}
