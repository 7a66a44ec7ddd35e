import type { ColourRule, MapStyle, SizeRule } from '@platen/contract/map-styles';
import { outlineOf } from '../outline-colour.ts';
import { coloursOf } from './colours-of-rules.ts';
import { filtersOf, isSameCondition, valuesOf } from './conditions.ts';
import type { NoteList } from './notes.ts';
import {
  isConstant,
  type Condition,
  type ReadStyle,
  type RuleList,
  type RuleSymbol,
  type StyleRule,
} from './rules.ts';
import { defaultOutlineWidth } from '../style-defaults.ts';
import { withColours } from '../with-colours.ts';
import { withinLimits } from './within-limits.ts';

/**
 * The style that draws what rules draw, as far as one can.
 * @param notes takes what is left out
 * @returns undefined without rules
 */
export function styleOfRules({ rules: all, label }: RuleList, notes: NoteList): ReadStyle | undefined {
  const { common, rules } = withoutCommon(all);
  const found = coloursOf(rules, notes);
  if (!found) return undefined;
  const { size, symbols, needs } = found;
  const colour = common.length > 0 ? withoutRest(found.colour, common) : found.colour;
  const [first] = symbols as [RuleSymbol];
  const shapes = new Set(symbols.map(({ shape }) => shape));
  const shape = shapes.size === 1 ? first.shape : 'mixed';
  if (symbols.some(({ opacity }) => opacity !== first.opacity)) notes.add('differs', { what: 'Opacity' });
  const { zoomSize } = first;
  if (symbols.some((symbol) => JSON.stringify(symbol.zoomSize) !== JSON.stringify(zoomSize)))
    notes.add('differs', { what: 'Size by zoom' });
  const filter = common
    .filter(
      (one) =>
        (one.operator !== 'exists' || !needsNumber(colour, one.attribute)) && !isOfCategories(colour, one),
    )
    .flatMap(filtersOf);
  if (needs !== undefined) filter.push({ attribute: needs, operator: 'exists' });
  const style: MapStyle = {
    colour,
    opacity: first.opacity,
    ...(size !== undefined && { size: sizeRule(size) }),
    ...(zoomSize && { zoomSize }),
    ...outlineOfSymbols(symbols, notes),
    ...hatchOfSymbols(symbols, colour, notes),
    ...(label && { label }),
    ...(filter.length > 0 && { filter }),
  };
  return { style: withinLimits(style, notes), shape };
}

/** Classes and scales draw only what has a number, unless they say otherwise. */
const needsNumber = (colour: MapStyle['colour'], attribute: string) =>
  (colour.type === 'classes' || colour.type === 'continuous') &&
  colour.attribute === attribute &&
  !colour.noValue;

/** Functions have to name a colour for the rest, even if conditions leave out the features that it is for. */
function withoutRest(colour: ColourRule, common: readonly Condition[]): ColourRule {
  if (colour.type === 'single') return colour;
  if (colour.type === 'categories') {
    const { others: _, ...rule } = colour;
    return common.some((condition) => isOfCategories(colour, condition)) ? rule : colour;
  }
  const isNeeded = common.some(
    ({ attribute, operator }) => operator === 'exists' && attribute === colour.attribute,
  );
  if (!isNeeded) return colour;
  const { noValue: _, ...rule } = colour;
  return rule;
}

/** Whether a condition says only what the colours say: that features of other values are not drawn. */
const isOfCategories = (colour: ColourRule, condition: Condition) =>
  colour.type === 'categories' &&
  condition.attribute === colour.attribute &&
  valuesOf(condition)?.every((value) => colour.categories.some(({ values }) => values.includes(value)));

const sizeRule = (size: number | SizeRule): SizeRule =>
  typeof size === 'number' ? { type: 'single', size } : size;

/** Takes the conditions that all rules share out of them: they are the filter of the style. */
function withoutCommon(rules: readonly StyleRule[]) {
  const [first] = rules;
  if (!first || rules.some(({ conditions }) => conditions.length === 0)) return { common: [], rules };
  const common = first.conditions.filter((one) =>
    rules.every(({ conditions }) => conditions.some((other) => isSameCondition(one, other))),
  );
  return {
    common,
    rules: rules.map((rule) => ({
      ...rule,
      conditions: rule.conditions.filter((one) => !common.some((other) => isSameCondition(one, other))),
    })),
  };
}

/** The outline of all symbols; absent if each is the usual one, a darker shade of its colour. */
function outlineOfSymbols(symbols: readonly RuleSymbol[], notes: NoteList): Pick<MapStyle, 'outline'> {
  const outlines = symbols.map(({ outline }) => outline);
  const [first] = outlines;
  if (first === undefined) return {};
  const isSame = outlines.every((other) => JSON.stringify(other) === JSON.stringify(first));
  if (symbols.every(hasUsualOutline)) return {};
  if (!isSame) notes.add('differs', { what: 'Outline' });
  if (first === null) return { outline: null };
  if (isConstant(first.colour)) return { outline: { colour: first.colour, width: first.width } };
  notes.add('leftOut', { what: 'Outline colour by attribute' });
  return {};
}

/** The hatch of all areas. Categories have theirs, but for all other values there is none of its own. */
function hatchOfSymbols(
  symbols: readonly RuleSymbol[],
  colour: ColourRule,
  notes: NoteList,
): Pick<MapStyle, 'hatch'> {
  const [first, ...others] = symbols.map(({ hatch }) => hatch);
  if (colour.type === 'categories') {
    if (colour.others && symbols.at(-1)!.hatch) notes.add('leftOut', { what: 'Hatch' });
    return {};
  }
  if (others.some((hatch) => JSON.stringify(hatch) !== JSON.stringify(first)))
    notes.add('differs', { what: 'Hatch' });
  return first ? { hatch: first } : {};
}

function hasUsualOutline({ shape, colour, outline }: RuleSymbol): boolean {
  if (!outline || outline.width !== defaultOutlineWidth(shape)) return false;
  const usual = isConstant(colour) ? outlineOf(colour) : withColours(colour, outlineOf);
  return JSON.stringify(usual) === JSON.stringify(outline.colour);
}
