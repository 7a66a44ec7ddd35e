import type { CategoryValue } from '@platen/contract/map-styles';
import { anyOf, isAttributeName, isCategoryValue, negated } from '../conditions.ts';
import type { Condition } from '../rules.ts';

interface Token {
  readonly type: 'attribute' | 'value' | 'word' | 'operator' | 'sign';
  readonly text: string;
  readonly value?: CategoryValue;
}

/** `"name"`, `'text'`, a number, a word, a comparison, or a bracket or comma; quotation marks are doubled within. */
const tokenPattern =
  /\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(<>|<=|>=|!=|[=<>])|([(),]))/y;
const maxTokens = 20_000;
const maxDepth = 50;

/** Thrown within this file: what the expression says is no condition of ours. */
class OtherExpression extends Error {}

/**
 * Reads an expression of QGIS as conditions that all have to hold: comparisons of attributes with constants, joined by AND, OR, NOT
 * and brackets. @returns undefined if it says something else
 */
export function readExpression(text: string): Condition[] | undefined {
  try {
    const tokens = tokensOf(text);
    const reader = new Reader(tokens);
    return reader.all();
  } catch (error) {
    if (error instanceof OtherExpression) return undefined;
    throw error;
  }
}

/** The attribute that an expression consists of. */
export function attributeOf(text: string): string | undefined {
  const tokens = tokensOrNone(text);
  const [first] = tokens;
  if (tokens.length !== 1 || (first!.type !== 'attribute' && first!.type !== 'word')) return undefined;
  return isAttributeName(first!.text) ? first!.text : undefined;
}

function tokensOrNone(text: string): Token[] {
  try {
    return tokensOf(text);
  } catch (error) {
    if (error instanceof OtherExpression) return [];
    throw error;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < end) {
    const match = tokenPattern.exec(text);
    if (!match || tokens.length === maxTokens) throw new OtherExpression();
    const [, quoted, string, number, word, operator, sign] = match;
    if (quoted !== undefined) tokens.push({ type: 'attribute', text: quoted.replaceAll('""', '"') });
    else if (string !== undefined) {
      const value = string.replaceAll("''", "'");
      tokens.push({ type: 'value', text: value, value });
    } else if (number !== undefined) tokens.push({ type: 'value', text: number, value: Number(number) });
    else if (word !== undefined) tokens.push(wordToken(word));
    else if (operator !== undefined) tokens.push({ type: 'operator', text: operator });
    else tokens.push({ type: 'sign', text: sign! });
  }
  return tokens;
}

function wordToken(word: string): Token {
  const text = word.toUpperCase();
  if (text === 'TRUE' || text === 'FALSE') return { type: 'value', text, value: text === 'TRUE' };
  const isKey = ['AND', 'OR', 'NOT', 'IN', 'IS', 'NULL'].includes(text);
  return isKey ? { type: 'word', text } : { type: 'attribute', text: word };
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  all(): Condition[] {
    const conditions = this.#any();
    if (this.#at !== this.#tokens.length) throw new OtherExpression();
    return conditions;
  }

  #takes(text: string): boolean {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.type === 'value' || token.type === 'attribute' || token.text !== text)
      return false;
    this.#at++;
    return true;
  }

  #needs(text: string): void {
    if (!this.#takes(text)) throw new OtherExpression();
  }

  /** Alternatives; several have to be tests of one attribute. */
  #any(): Condition[] {
    const parts = [this.#both()];
    while (this.#takes('OR')) parts.push(this.#both());
    if (parts.length === 1) return parts[0]!;
    if (parts.some((part) => part.length !== 1)) throw new OtherExpression();
    const joined = anyOf(parts.map(([part]) => part!));
    if (!joined) throw new OtherExpression();
    return [joined];
  }

  #both(): Condition[] {
    const parts = [this.#one()];
    while (this.#takes('AND')) parts.push(this.#one());
    return parts.flat();
  }

  #one(): Condition[] {
    if (this.#takes('NOT')) return this.#not(this.#one());
    if (!this.#takes('(')) return [this.#test()];
    if (++this.#depth > maxDepth) throw new OtherExpression();
    const inner = this.#any();
    this.#needs(')');
    this.#depth--;
    return inner;
  }

  #not(conditions: readonly Condition[]): Condition[] {
    const [only] = conditions;
    if (!only || conditions.length > 1) throw new OtherExpression();
    return [negated(only)];
  }

  #test(): Condition {
    const attribute = this.#attribute();
    if (this.#takes('IS')) {
      const isNot = this.#takes('NOT');
      this.#needs('NULL');
      return { attribute, operator: isNot ? 'exists' : 'missing', values: [] };
    }
    const isNot = this.#takes('NOT');
    if (this.#takes('IN')) return { attribute, operator: isNot ? 'notIn' : 'in', values: this.#list() };
    const token = this.#tokens[this.#at];
    if (isNot || token?.type !== 'operator') throw new OtherExpression();
    this.#at++;
    const operator = token.text === '<>' ? '!=' : (token.text as Condition['operator']);
    return { attribute, operator, values: [this.#value()] };
  }

  #attribute(): string {
    const token = this.#tokens[this.#at++];
    if (token?.type !== 'attribute' || !isAttributeName(token.text)) throw new OtherExpression();
    return token.text;
  }

  #value(): CategoryValue {
    const token = this.#tokens[this.#at++];
    if (token?.type !== 'value' || !isCategoryValue(token.value)) throw new OtherExpression();
    return token.value as CategoryValue;
  }

  #list(): CategoryValue[] {
    this.#needs('(');
    const values = [this.#value()];
    while (this.#takes(',')) values.push(this.#value());
    this.#needs(')');
    return values;
  }
}
