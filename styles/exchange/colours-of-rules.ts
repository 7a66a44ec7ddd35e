import type { CategoryValue, ColourRule, SizeRule } from '@platen/contract/map-styles';
import { colourEntries } from '../legend.ts';
import { negated, rangeOf, valuesOf, type NumberRange } from './conditions.ts';
import type { NoteList } from './notes.ts';
import { withEnds } from './with-ends.ts';
import { isConstant, type RuleSymbol, type StyleRule } from './rules.ts';
import { ruleWords } from './rules-of-style.ts';

/** What rules say of colours and sizes, and the symbols of the rules that are kept. */
interface RuleColours {
  readonly colour: ColourRule;
  readonly size: number | SizeRule | undefined;
  readonly symbols: readonly RuleSymbol[];
  /** Only features with a value of this attribute are drawn. */
  readonly needs?: string;
}

const titleOf = ({ title, name }: StyleRule) => title || name || '';

/**
 * Colours and sizes by the one attribute that rules differ in.
 * @param rules without the conditions that all share
 * @returns undefined without rules
 */
export function coloursOf(rules: readonly StyleRule[], notes: NoteList): RuleColours | undefined {
  const sorted = sortRules(rules, notes);
  const { keyed, rest } = sorted;
  const one = keyed.length === 0 ? rest : keyed.length === 1 ? keyed[0] : undefined;
  if (!one) return keyed.length === 0 ? undefined : byAttribute(sorted, notes);
  const { symbol } = one;
  if (isConstant(symbol.colour)) {
    if (keyed.length > 0) return byAttribute(sorted, notes);
    return { colour: { type: 'single', colour: symbol.colour }, size: symbol.size, symbols: [symbol] };
  }
  if (rest !== one) noteRest(sorted, symbol.colour.type === 'categories', notes);
  const colour = rest === one ? symbol.colour : withRest(symbol.colour, rest, notes);
  return { colour, size: symbol.size, symbols: [symbol] };
}

interface SortedRules {
  readonly attribute: string;
  /** Rules with a condition on the attribute, by values or by numbers. */
  readonly keyed: readonly StyleRule[];
  readonly rest: StyleRule | undefined;
}

type Kind = 'values' | 'range' | 'rest' | 'other';

function kindOf({ conditions, isElse, symbol }: StyleRule): Kind {
  if (isElse || conditions.length === 0) return 'rest';
  const [{ attribute, operator }] = conditions as [StyleRule['conditions'][number]];
  if (conditions.some((one) => one.attribute !== attribute)) return 'other';
  if (conditions.length === 1) {
    if (operator === 'notIn' || operator === 'missing' || operator === '!=') return 'rest';
    if (valuesOf(conditions[0]!)) return 'values';
    if (operator === 'exists') return isConstant(symbol.colour) ? 'other' : 'range';
  }
  return rangeOf(conditions) ? 'range' : 'other';
}

/** Keeps the rules of the most frequent attribute and kind; others are noted. */
function sortRules(rules: readonly StyleRule[], notes: NoteList): SortedRules {
  const [only] = rules;
  if (rules.length === 1 && only) return { attribute: '', keyed: [], rest: only };
  const groups = Map.groupBy(rules, (rule) => {
    const kind = kindOf(rule);
    return kind === 'values' || kind === 'range' ? `${kind} ${rule.conditions[0]!.attribute}` : kind;
  });
  const keyedGroups = [...groups].filter(([key]) => key !== 'rest' && key !== 'other');
  const [, keyed = []] = keyedGroups.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [];
  const attribute = keyed[0]?.conditions[0]!.attribute ?? '';
  const rest = groups
    .get('rest')
    ?.find(({ conditions }) => keyed.length === 0 || conditions.every((one) => one.attribute === attribute));
  for (const rule of rules)
    if (!keyed.includes(rule) && rule !== rest) notes.add('ruleLeftOut', { rule: titleOf(rule) });
  return { attribute, keyed, rest };
}

/** A rule whose colour follows an attribute itself, and another one for the rest. */
function withRest(colour: ColourRule, rest: StyleRule | undefined, notes: NoteList): ColourRule {
  if (!rest || colour.type === 'single') return colour;
  const { colour: hex } = rest.symbol;
  if (!isConstant(hex)) {
    notes.add('ruleLeftOut', { rule: titleOf(rest) });
    return colour;
  }
  if (colour.type === 'categories')
    return { ...colour, others: { colour: hex, ...ownTitle(rest, ruleWords.others) } };
  return { ...colour, noValue: { colour: hex, ...ownTitle(rest, ruleWords.noValue) } };
}

/** The title of a rule, unless the legend says the same without. */
function ownTitle(rule: StyleRule, usual: string): { title?: string } {
  const title = titleOf(rule);
  return title === '' || title === usual.trim() ? {} : { title };
}

function byAttribute(sorted: SortedRules, notes: NoteList): RuleColours {
  const { keyed, rest } = sorted;
  const symbols = [...keyed, ...(rest ? [rest] : [])].map(({ symbol }) => symbol);
  const isByValues = valuesOf(keyed[0]!.conditions[0]!) !== undefined;
  noteRest(sorted, isByValues, notes);
  return isByValues ? byValues(sorted, symbols, notes) : byRanges(sorted, symbols, notes);
}

/** Says if the rule for the rest is not exactly for what no other rule names. */
function noteRest({ keyed, rest }: SortedRules, isByValues: boolean, notes: NoteList): void {
  if (!rest || rest.isElse) return;
  const { conditions } = rest;
  const [condition] = conditions;
  const named = new Set(keyed.flatMap((rule) => valuesOf(rule.conditions[0]!) ?? []));
  const left = condition && conditions.length === 1 ? valuesOf(negated(condition)) : undefined;
  const isExact = isByValues
    ? left !== undefined && named.symmetricDifference(new Set(left)).size === 0
    : condition?.operator === 'missing';
  if (!isExact) notes.add('rest', { rule: titleOf(rest) });
}

function constantColour(rule: StyleRule, notes: NoteList): string {
  const { colour } = rule.symbol;
  if (isConstant(colour)) return colour;
  notes.add('noColour', { rule: titleOf(rule) });
  return '#888888';
}

function sameSize(symbols: readonly RuleSymbol[], notes: NoteList): number | SizeRule | undefined {
  const [first] = symbols;
  if (symbols.some(({ size }) => JSON.stringify(size) !== JSON.stringify(first?.size)))
    notes.add('differs', { what: 'Size' });
  return first?.size;
}

function byValues(
  { attribute, keyed, rest }: SortedRules,
  symbols: readonly RuleSymbol[],
  notes: NoteList,
): RuleColours {
  const seen = new Set<CategoryValue>();
  const categories = keyed.flatMap((rule) => {
    const values = valuesOf(rule.conditions[0]!)!.filter((value) => !seen.has(value));
    for (const value of values) seen.add(value);
    if (values.length === 0) return [];
    const { hatch } = rule.symbol;
    const title = ownTitle(rule, values.join(', '));
    return [{ values, colour: constantColour(rule, notes), ...title, ...(hatch && { hatch }) }];
  });
  const colour: ColourRule = {
    type: 'categories',
    attribute,
    categories,
    ...(rest && { others: { colour: constantColour(rest, notes), ...ownTitle(rest, ruleWords.others) } }),
  };
  return { colour, size: sameSize(symbols, notes), symbols };
}

type Ranged = NumberRange & { readonly rule: StyleRule };

function byRanges(
  { attribute, keyed, rest }: SortedRules,
  symbols: readonly RuleSymbol[],
  notes: NoteList,
): RuleColours {
  const lower = (range: NumberRange) => range.from ?? Number.NEGATIVE_INFINITY;
  const ranges = keyed
    .map((rule): Ranged => ({ isHalfOpen: true, ...rangeOf(rule.conditions), rule }))
    .toSorted((one, other) => lower(one) - lower(other))
    .filter((range, i, all) => i === 0 || lower(range) > lower(all[i - 1]!));
  for (const rule of keyed)
    if (!ranges.some((range) => range.rule === rule)) notes.add('ruleLeftOut', { rule: titleOf(rule) });
  const breaks = breaksOf(ranges, notes);
  const colours = ranges.map(({ rule }) => constantColour(rule, notes));
  const sizes = ranges.map(({ rule }) => rule.symbol.size);
  const isBySize =
    new Set([...colours, ...(rest ? [constantColour(rest, notes)] : [])]).size === 1 &&
    new Set(sizes).size > 1 &&
    sizes.every((size) => typeof size === 'number');
  if (isBySize) {
    const size: SizeRule = { type: 'classes', attribute, breaks, sizes: sizes as number[] };
    return {
      colour: { type: 'single', colour: colours[0]! },
      size,
      symbols,
      ...(!rest && { needs: attribute }),
    };
  }
  const colour: ColourRule = {
    type: 'classes',
    attribute,
    method: 'own',
    breaks,
    colours,
    ...(rest && { noValue: { colour: constantColour(rest, notes), ...ownTitle(rest, ruleWords.noValue) } }),
  };
  const titles = ownTitles(colour, ranges);
  const size = sizes.every((one) => typeof one === 'number') && new Set(sizes).size > 1;
  return {
    colour: titles ? { ...colour, titles } : colour,
    size: size ? { type: 'classes', attribute, breaks, sizes: sizes as number[] } : sameSize(symbols, notes),
    symbols,
  };
}

function ownTitles(colour: ColourRule, ranges: readonly Ranged[]): string[] | undefined {
  const usual = colourEntries(colour, ruleWords);
  const titles = ranges.map(({ rule }, i) => ownTitle(rule, usual[i]!.title).title ?? '');
  return titles.some((title) => title !== '') ? titles : undefined;
}

/** The limits of classes. An outer class that is open ends as far away as the next one is wide. */
function breaksOf(ranges: readonly Ranged[], notes: NoteList): number[] {
  const inner = ranges.slice(1).map(({ from }) => from!);
  const first = ranges[0]!;
  const last = ranges.at(-1)!;
  if (first.from !== undefined || last.to !== undefined) notes.add('closedClasses');
  if (ranges.some(({ isHalfOpen }) => !isHalfOpen) && inner.length > 0) notes.add('breaks');
  const upper = ranges.slice(0, -1).map(({ to = Number.POSITIVE_INFINITY }) => to);
  if (upper.some((to, i) => to < inner[i]!)) notes.add('gaps');
  if (upper.some((to, i) => to > inner[i]!)) notes.add('overlaps');
  const limits = inner.length > 0 ? inner : [last.to ?? first.from ?? 0];
  const open = withEnds(limits);
  return [first.from ?? open[0]!, ...inner, last.to ?? open.at(-1)!];
}
