import type { LabelRule } from '@platen/contract/map-styles';
import { childrenOf, findElement, textAt, type XmlElement } from '@platen/formats/xml/xml-tree';
import type { NoteList } from '../notes.ts';
import { firstStyles } from '../first-styles.ts';
import { StyleFileError } from '../read-error.ts';
import type { NotedStyle, RuleList, StyleRule } from '../rules.ts';
import { styleOfRules } from '../style-of-rules.ts';
import { readFilter } from './read-filter.ts';
import { readLabel } from './read-label.ts';
import { withHatch } from '../with-hatch.ts';
import { readSymbolizer } from './read-symbol.ts';

/**
 * The styles of a StyledLayerDescriptor 1.0 or 1.1, or of a lone FeatureTypeStyle.
 * @throws StyleFileError if it is something else
 */
export function readSld(root: XmlElement, newNotes: () => NoteList): NotedStyle[] {
  if (root.name === 'FeatureTypeStyle') return [readUserStyle({ ...root, children: [root] }, newNotes())];
  if (root.name !== 'StyledLayerDescriptor' && root.name !== 'UserStyle')
    throw new StyleFileError(`The root element is <${root.name}>, not <StyledLayerDescriptor>.`);
  const layers = root.children.filter(({ name }) => name === 'NamedLayer' || name === 'UserLayer');
  const styles =
    root.name === 'UserStyle'
      ? [{ style: root, layerName: undefined }]
      : layers.flatMap((layer) =>
          childrenOf(layer, 'UserStyle').map((style) => ({ style, layerName: textAt(layer, 'Name') })),
        );
  if (styles.length === 0) throw new StyleFileError('It contains no <UserStyle>.');
  return firstStyles(styles, newNotes).map(([{ style, layerName }, noteList]) => {
    const { read, notes } = readUserStyle(style, noteList);
    const name = titleOf(style) ?? textAt(style, 'Name') ?? layerName;
    return { notes, read: read && { ...read, ...(name !== undefined && { name }) } };
  });
}

const titleOf = (element: XmlElement) => textAt(element, 'Title') ?? textAt(element, 'Description', 'Title');

function readUserStyle(style: XmlElement, notes: NoteList): NotedStyle {
  const lists = childrenOf(style, 'FeatureTypeStyle').map((type) => readFeatureTypeStyle(type, notes));
  const label = lists.map((list) => list.label).find((one) => one !== undefined);
  const drawn = lists.filter(({ rules }) => rules.length > 0);
  const largest = Math.max(...drawn.map(({ rules }) => rules.length));
  const kept = drawn.findLast(({ rules }) => rules.length === largest);
  if (drawn.length > 1) notes.add('otherLayers', { what: 'FeatureTypeStyle' });
  return { notes, read: kept && styleOfRules({ rules: kept.rules, label }, notes) };
}

function readFeatureTypeStyle(type: XmlElement, notes: NoteList): RuleList {
  const labels: LabelRule[] = [];
  const rules = childrenOf(type, 'Rule').flatMap((rule) => {
    const { rules: read, label } = readRule(rule, notes);
    if (label) labels.push(label);
    return read;
  });
  if (new Set(labels.map((label) => JSON.stringify(label))).size > 1) notes.add('differs', { what: 'Label' });
  return { rules, label: labels[0] };
}

function readRule(rule: XmlElement, notes: NoteList): RuleList {
  const filter = findElement(rule, 'Filter');
  const conditions = filter ? readFilter(filter) : [];
  const title = titleOf(rule);
  const name = textAt(rule, 'Name');
  const called = title ?? name ?? '';
  if (!conditions) {
    notes.add('ruleLeftOut', { rule: called });
    return { rules: [] };
  }
  if (findElement(rule, 'MinScaleDenominator') || findElement(rule, 'MaxScaleDenominator'))
    notes.add('scale');
  const labels = childrenOf(rule, 'TextSymbolizer').map((symbolizer) => readLabel(symbolizer, notes));
  for (const { name: other } of rule.children)
    if (other === 'RasterSymbolizer') notes.add('leftOut', { what: other });
  const symbols = rule.children
    .map((child) => readSymbolizer(child, called, notes))
    .filter((symbol) => symbol !== undefined);
  const symbol = topSymbol(symbols, notes);
  const read: StyleRule[] = symbol
    ? [
        {
          conditions,
          isElse: findElement(rule, 'ElseFilter') !== undefined,
          symbol,
          ...(title !== undefined && { title }),
          ...(name !== undefined && { name }),
        },
      ]
    : [];
  return { rules: read, label: labels.find((label) => label !== undefined) };
}

/** The symbol that is seen where several lie above each other: of areas the fill, of lines the upper one. */
function topSymbol(symbols: readonly NonNullable<ReturnType<typeof readSymbolizer>>[], notes: NoteList) {
  const shapes = new Set(symbols.map(({ shape }) => shape));
  const line = symbols.findLast(({ shape }) => shape === 'line');
  const point = symbols.findLast(({ shape }) => shape === 'point');
  const [below, above] = symbols;
  const hatched = symbols.length === 2 && below && above && withHatch(below, above);
  if (hatched) return hatched;
  const area = symbols.find(({ shape }) => shape === 'area');
  if (area && line && point) return { ...point, shape: 'mixed' as const, opacity: area.opacity };
  if (symbols.length > 1) notes.add('otherLayers', { what: 'Symbolizer' });
  return shapes.has('area') ? area : (line ?? point);
}
