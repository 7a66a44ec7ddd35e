import type { LabelRule } from '@platen/contract/map-styles';
import { findElement, type XmlElement } from '@platen/formats/xml/xml-tree';
import { fontOf } from '../../label-options.ts';
import { styleDefaults } from '../../style-defaults.ts';
import type { NoteList } from '../notes.ts';
import { propertyOf } from './read-filter.ts';
import { hexOf, noteOthers, parametersOf } from './read-symbol.ts';
import { readValue } from './read-value.ts';

const usualSize = 10; // of the standard
const usualTexts: Readonly<Record<string, string>> = { 'font-style': 'normal', 'fill-opacity': '1' };

/** The label of a TextSymbolizer; undefined if it is not the value of one attribute. */
export function readLabel(symbolizer: XmlElement, notes: NoteList): LabelRule | undefined {
  const label = findElement(symbolizer, 'Label');
  const attributes = label?.children.map(propertyOf) ?? [];
  const [attribute] = attributes;
  const isOne = attributes.length === 1 && label?.text === '';
  if (attribute === undefined || !isOne) {
    notes.add('leftOut', { what: 'TextSymbolizer/Label' });
    return undefined;
  }
  const elements = ['Geometry', 'Label', 'Font', 'Halo', 'Fill', 'Name', 'Description'];
  noteOthers(symbolizer, elements, notes);
  const font = parameters(
    findElement(symbolizer, 'Font'),
    ['font-size', 'font-weight', 'font-family'],
    notes,
  );
  const fill = parameters(findElement(symbolizer, 'Fill'), ['fill'], notes);
  const halo = parameters(findElement(symbolizer, 'Halo', 'Fill'), ['fill'], notes);
  const family = font.get('font-family');
  const own = family === undefined ? 'sans' : fontOf(family);
  if (own === undefined) notes.add('leftOut', { what: `font-family ${family}` });
  noteHalo(findElement(symbolizer, 'Halo'), notes);
  const size = Number(font.get('font-size') ?? usualSize);
  const colour = hexOf(fill.get('fill') ?? '#000000');
  const haloColour = halo.has('fill') ? hexOf(halo.get('fill')!) : undefined;
  return {
    attribute,
    ...(own && own !== 'sans' && { font: own }),
    ...(Number.isFinite(size) && { size: Math.min(72, Math.max(6, size)) }),
    ...(['bold', '600', '700', '800', '900'].includes(font.get('font-weight') ?? '') && { isBold: true }),
    ...(colour !== undefined && { colour }),
    ...(haloColour !== undefined && { haloColour }),
  };
}

function noteHalo(halo: XmlElement | undefined, notes: NoteList): void {
  const radius = findElement(halo, 'Radius');
  const value = radius && readValue(radius);
  const isText = radius === undefined || value?.type === 'text';
  const pixels = halo ? Number(value?.type === 'text' ? value.text : 1) : 0;
  if (!isText) notes.add('leftOut', { what: 'Halo/Radius' });
  else if (pixels !== styleDefaults.haloWidth) notes.add('halo', { pixels });
}

/** @param known parameters that are not noted */
function parameters(
  element: XmlElement | undefined,
  known: readonly string[],
  notes: NoteList,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const parameter of element ? parametersOf(element) : []) {
    const value = readValue(parameter);
    const name = parameter.attributes['name'] ?? '';
    if (value?.type === 'text') found.set(name, value.text);
    const isUsual = value?.type === 'text' && usualTexts[name] === value.text;
    if (value?.type !== 'text' || !(known.includes(name) || isUsual)) notes.add('leftOut', { what: name });
  }
  return found;
}
