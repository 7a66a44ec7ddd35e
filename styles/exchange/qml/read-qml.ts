import type { CategoryValue } from '@platen/contract/map-styles';
import { childrenOf, findElement, textAt, type XmlElement } from '@platen/formats/xml/xml-tree';
import { isAttributeName, isCategoryValue } from '../conditions.ts';
import type { NoteList } from '../notes.ts';
import { StyleFileError } from '../read-error.ts';
import type { Condition, NotedStyle, RuleSymbol, StyleRule } from '../rules.ts';
import { styleOfRules } from '../style-of-rules.ts';
import { attributeOf, readExpression } from './read-expression.ts';
import { readLabel } from './read-label.ts';
import { readSymbol } from './read-symbol.ts';

/** What the renderers of a style share. */
interface Reading {
  readonly renderer: XmlElement;
  readonly symbolOf: (name: string | undefined) => RuleSymbol | undefined;
  readonly notes: NoteList;
}

type ReadRules = (reading: Reading) => StyleRule[];

const renderers: Readonly<Record<string, ReadRules>> = {
  singleSymbol: ({ renderer, symbolOf }) => {
    const symbol = symbolOf(
      childrenOf(findElement(renderer, 'symbols') ?? renderer, 'symbol')[0]?.attributes['name'],
    );
    return symbol ? [{ conditions: [], symbol }] : [];
  },
  categorizedSymbol: readCategories,
  graduatedSymbol: readRanges,
  RuleRenderer: readRules,
};

/** The style of a QML file of QGIS 2 or 3. @throws StyleFileError if it has no renderer of vector data that can be read */
export function readQml(root: XmlElement, newNotes: () => NoteList): NotedStyle[] {
  const renderer = findElement(root, 'renderer-v2');
  const type = renderer?.attributes['type'] ?? '';
  const read = Object.hasOwn(renderers, type) ? renderers[type] : undefined;
  if (!renderer || !read)
    throw new StyleFileError(
      renderer
        ? `Its renderer “${type}” cannot be read: use a single symbol, categories, graduated symbols or rules.`
        : 'It contains no <renderer-v2>: styles of rasters cannot be read.',
    );
  const notes = newNotes();
  const symbols = new Map(
    childrenOf(findElement(renderer, 'symbols') ?? renderer, 'symbol').map((symbol) => [
      symbol.attributes['name'],
      symbol,
    ]),
  );
  const layerOpacity = Number(textAt(root, 'layerOpacity') ?? 1);
  const symbolOf = (name: string | undefined): RuleSymbol | undefined => {
    const symbol = symbols.get(name);
    const drawn = symbol && readSymbol(symbol, notes);
    return (
      drawn && {
        ...drawn,
        opacity: Number((drawn.opacity * (layerOpacity >= 0 ? layerOpacity : 1)).toFixed(2)),
      }
    );
  };
  if (root.attributes['hasScaleBasedVisibilityFlag'] === '1') notes.add('scale');
  const rules = read({ renderer, symbolOf, notes });
  const label = readLabel(root, notes);
  return [{ notes, read: rules.length === 0 ? undefined : styleOfRules({ rules, label }, notes) }];
}

/** The attribute of categories and ranges; other expressions have no equal. */
function attributeOfRenderer({ renderer, notes }: Reading): string | undefined {
  const text = renderer.attributes['attr'] ?? '';
  // a name that is no expression stands without quotation marks
  const isName = isAttributeName(text) && !/["'()+*/|]/.test(text);
  const attribute = attributeOf(text) ?? (isName ? text : undefined);
  if (attribute === undefined) notes.add('ruleLeftOut', { rule: text });
  return attribute;
}

function readCategories(reading: Reading): StyleRule[] {
  const { renderer, symbolOf } = reading;
  const attribute = attributeOfRenderer(reading);
  if (attribute === undefined) return [];
  return childrenOf(findElement(renderer, 'categories') ?? renderer, 'category').flatMap(
    (category): StyleRule[] => {
      const { symbol: name, label, render, type } = category.attributes;
      const symbol = symbolOf(name);
      if (!symbol || render === 'false') return [];
      const values = valuesOf(category);
      const title = label ? { title: label } : {};
      const isElse = values.length === 0 || (values.length === 1 && values[0] === '' && type !== 'List');
      const conditions: Condition[] = [{ attribute, operator: values.length === 1 ? '=' : 'in', values }];
      return [{ ...title, conditions: isElse ? [] : conditions, isElse, symbol }];
    },
  );
}

function valuesOf(category: XmlElement): CategoryValue[] {
  const listed = childrenOf(category, 'val');
  return (listed.length > 0 ? listed : [category]).flatMap(({ attributes: { value = '', type = '' } }) => {
    const typed = valueOf(value, type);
    return isCategoryValue(typed) ? [typed] : [];
  });
}

/** Before QGIS 3, values had no types. */
function valueOf(text: string, type: string): CategoryValue {
  if (type === 'bool') return text === 'true' || text === '1';
  const isNumber = /^(?:int|long|long long|uint|ulonglong|longlong|double)$/i.test(type);
  return isNumber && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Ends of ranges that are meant to have none, in files of ours and of others. */
export const endless = 1e15;

/** In QGIS a range includes both ends; where two meet, the lower one precedes. */
function readRanges(reading: Reading): StyleRule[] {
  const { renderer, symbolOf, notes } = reading;
  const attribute = attributeOfRenderer(reading);
  if (attribute === undefined) return [];
  return childrenOf(findElement(renderer, 'ranges') ?? renderer, 'range').flatMap((range): StyleRule[] => {
    const { symbol: name, label, render, lower, upper } = range.attributes;
    const symbol = symbolOf(name);
    if (!symbol || render === 'false') return [];
    const conditions = conditionsOfRange(attribute, limitOf(lower), limitOf(upper));
    if (!conditions) {
      notes.add('emptyClass', { rule: label ?? '', from: lower ?? '', to: upper ?? '' });
      return [];
    }
    notes.add('breaks');
    return [{ ...(label && { title: label }), conditions, symbol }];
  });
}

/** Of `0.5`, or of `-inf`, `inf` and `nan`, as QGIS writes them. */
const limitOf = (text = '') =>
  /^[+-]?inf/i.test(text) ? (text.startsWith('-') ? -endless : endless) : Number(text || NaN);

/** Both ends may be the same number. @returns undefined if they are in reverse, or if one is no number */
function conditionsOfRange(attribute: string, from: number, to: number): Condition[] | undefined {
  if (from === to && Math.abs(from) < endless) return [{ attribute, operator: '=', values: [from] }];
  if (!(from < to)) return undefined;
  return [
    ...(from > -endless ? [{ attribute, operator: '>=' as const, values: [from] }] : []),
    ...(to < endless ? [{ attribute, operator: '<' as const, values: [to] }] : []),
  ];
}

const maxRuleDepth = 10;

function readRules({ renderer, symbolOf, notes }: Reading): StyleRule[] {
  const root = findElement(renderer, 'rules');
  return root ? childrenOf(root, 'rule').flatMap((rule) => rulesBelow(rule, [], 0)) : [];

  /** A rule within another applies where both do. */
  function rulesBelow(rule: XmlElement, above: readonly Condition[], depth: number): StyleRule[] {
    const { filter = '', label, symbol: name, checkstate, scalemindenom, scalemaxdenom } = rule.attributes;
    if (checkstate === '0' || depth === maxRuleDepth) return [];
    const isElse = filter.trim().toUpperCase() === 'ELSE';
    const own = isElse || filter.trim() === '' ? [] : readExpression(filter);
    if (!own) {
      notes.add('ruleLeftOut', { rule: label || filter });
      return [];
    }
    if (Number(scalemindenom) > 0 || Number(scalemaxdenom) > 0) notes.add('scale');
    const conditions = [...above, ...own];
    const symbol = name === undefined ? undefined : symbolOf(name);
    const drawn: StyleRule[] = symbol ? [{ ...(label && { title: label }), conditions, isElse, symbol }] : [];
    return [
      ...drawn,
      ...childrenOf(rule, 'rule').flatMap((child) => rulesBelow(child, conditions, depth + 1)),
    ];
  }
}
