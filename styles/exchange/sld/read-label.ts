import type { LabelRule } from '@platen/contract/map-styles';
import { findElement, type XmlElement } from '@platen/formats/xml/xml-tree';
import type { NoteList } from '../notes.ts';
import { propertyOf } from './read-filter.ts';
import { hexOf, noteOthers, parametersOf } from './read-symbol.ts';
import { readValue } from './read-value.ts';

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
  const known = ['Geometry', 'Label', 'Font', 'Halo', 'Fill', 'Name', 'Description'];
  noteOthers(symbolizer, known, notes);
  const font = parameters(findElement(symbolizer, 'Font'));
  const fill = parameters(findElement(symbolizer, 'Fill'));
  const halo = parameters(findElement(symbolizer, 'Halo', 'Fill'));
  for (const name of font.keys())
    if (!['font-size', 'font-weight', 'font-family'].includes(name)) notes.add('leftOut', { what: name });
  const size = Number(font.get('font-size') ?? Number.NaN);
  const colour = hexOf(fill.get('fill') ?? '#000000');
  const haloColour = halo.has('fill') ? hexOf(halo.get('fill')!) : undefined;
  return {
    attribute,
    ...(Number.isFinite(size) && { size: Math.min(72, Math.max(6, size)) }),
    ...(['bold', '600', '700', '800', '900'].includes(font.get('font-weight') ?? '') && { isBold: true }),
    ...(colour !== undefined && { colour }),
    ...(haloColour !== undefined && { haloColour }),
  };
}

function parameters(element: XmlElement | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const parameter of element ? parametersOf(element) : []) {
    const value = readValue(parameter);
    if (value?.type === 'text') found.set(parameter.attributes['name'] ?? '', value.text);
  }
  return found;
}
