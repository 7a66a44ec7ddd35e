import { JobFailure } from '../job-type.ts';

/** What can be told of an expression without data. */
export interface ExpressionFacts {
  /**
   * Attribute texts longer than this, in UTF-16 units, are too much for it; undefined where text of any length takes
   * time and memory in proportion.
   */
  readonly longestText: number | undefined;
  /** The attributes that it reads; undefined: any of them. */
  readonly reads: ReadonlySet<string> | undefined;
}

/** Far more than people write, far less than the call stack bears. */
const deepest = 40;
/** Steps of one evaluation, each `var` counted as what it stands for: the library evaluates it anew each time. */
const mostSteps = 10_000;
/** Of all text that one evaluation may have in its hands. */
const mostText = 10_000_000;
/** The same where one text is sought in another, which can take their lengths' product. */
const mostTextOfSearches = 50_000;
const longestPlainNeedle = 256;

const unavailable: Readonly<Record<string, string>> = {
  zoom: 'there is no zoom here, as features are prepared once for all zooms. Use minZoom, maxZoom or zoomBy of a layer',
  within: 'places cannot be tested here',
  distance: 'places cannot be tested here',
  'feature-state': 'there is no feature state here',
  'global-state': 'there is no global state here',
  accumulated: 'clusters are described by processing.cluster.aggregates',
  'heatmap-density': 'it is for styles only',
  'line-progress': 'it is for styles only',
  elevation: 'it is for styles only',
  'is-supported-script': 'it is for styles only',
  image: 'it is for styles only',
  format: 'it is for styles only. Use "concat" to join texts',
  // The library remembers every colour that it ever parsed; without these operators nothing is parsed as one.
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
 * Refuses what has no meaning here, and what could take time or memory out of all proportion: its operators are
 * linear in what they are given, but `let` and `var` can double the work, and the text, again and again.
 * @param pointer JSON pointer to the expression, for messages
 * @throws JobFailure `invalidExpression`
 */
export function examineExpression(expression: unknown, pointer: string, syntax: Syntax): ExpressionFacts {
  const examination: Examination = { syntax, reads: new Set(), readsAny: false, text: false, search: false };
  const steps = countSteps(expression, { examination, pointer, depth: 0, variables: new Map() });
  const most = examination.search ? mostTextOfSearches : mostText;
  return {
    longestText: examination.text ? Math.floor(most / steps) : undefined,
    reads: examination.readsAny ? undefined : examination.reads,
  };
}

/** Filters of the older form name attributes without `get`. */
export type Syntax = 'expression' | 'oldFilter';

interface Examination {
  readonly syntax: Syntax;
  readonly reads: Set<string>;
  readsAny: boolean;
  /** Whether it does more with text than to compare it and pass it on. */
  text: boolean;
  /** Whether it seeks an unknown text in another. */
  search: boolean;
}

interface Position {
  readonly examination: Examination;
  readonly pointer: string;
  readonly depth: number;
  /** Steps of what each stands for. */
  readonly variables: ReadonlyMap<string, number>;
}

/** At least 1. */
function countSteps(node: unknown, position: Position): number {
  const { pointer, depth } = position;
  if (depth > deepest) throw invalidExpression(pointer, `nested more than ${deepest} deep`);
  let steps = 1;
  if (typeof node === 'string') steps += node.length >> 6;
  else if (Array.isArray(node)) steps += countArraySteps(node, position);
  else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node))
      steps += countSteps(value, below(position, key)) + (key.length >> 6);
  }
  if (steps > mostSteps) throw invalidExpression(pointer, `more than ${mostSteps} steps to evaluate`);
  return steps;
}

function countArraySteps(node: readonly unknown[], position: Position): number {
  const { examination, pointer, variables } = position;
  const [operator, first] = node;
  if (typeof operator === 'string' && Object.hasOwn(unavailable, operator)) {
    throw invalidExpression(pointer, `"${operator}" cannot be used: ${unavailable[operator]}`);
  }
  if (operator === 'literal') return countData(node.slice(1), position);
  if (operator === 'let') return countLetSteps(node, position);
  if (operator === 'var') return variables.get(String(first)) ?? 0;
  if (examination.syntax === 'expression') refuseConstants(node, pointer);
  noteReads(node, examination);
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

/** Steps of what is not evaluated, but held. */
function countData(data: unknown, position: Position): number {
  const { pointer, depth } = position;
  if (depth > deepest) throw invalidExpression(pointer, `nested more than ${deepest} deep`);
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

/** Mixed with newer filters, the older form would silently compare the name of an attribute. */
function refuseConstants(node: readonly unknown[], pointer: string): void {
  const [operator, first, second] = node;
  if (!comparisons.has(operator as string) || typeof first !== 'string' || typeof second === 'object') return;
  const advice = `To compare an attribute, write ["${String(operator)}", ["get", ${JSON.stringify(first)}], …]`;
  throw invalidExpression(pointer, `compares two constants. ${advice}`);
}

function noteReads(node: readonly unknown[], examination: Examination): void {
  const [operator, first, second] = node;
  if (textOperators.has(operator as string)) examination.text = true;
  const isLookUp = operator === 'get' || operator === 'has';
  if (operator === 'properties' || (isLookUp && typeof first !== 'string')) examination.readsAny = true;
  else if (isLookUp && node.length === 2) examination.reads.add(first as string);
  const isIn = operator === 'in' || operator === 'index-of';
  const needle = isIn ? first : operator === 'split' ? second : '';
  const isList = isIn && Array.isArray(second) && second[0] === 'literal';
  if (!isList && !isPlainNeedle(needle)) examination.search = true;
}

function isPlainNeedle(needle: unknown): boolean {
  return typeof needle === 'string' ? needle.length <= longestPlainNeedle : typeof needle !== 'object';
}

/** Whether this is what an input is matched with, not evaluated. */
export function isLabel(node: readonly unknown[], index: number): boolean {
  return node[0] === 'match' && index % 2 === 0 && index < node.length - 1;
}

function below(position: Position, key: string | number): Position {
  return { ...position, pointer: pointTo(position.pointer, key), depth: position.depth + 1 };
}

/** RFC 6901. */
export function pointTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function invalidExpression(pointer: string, message: string): JobFailure {
  return new JobFailure('invalidExpression', `${pointer}: ${message.replace(/\.$/, '')}.`);
}
