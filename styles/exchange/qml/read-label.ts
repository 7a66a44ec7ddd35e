import type { LabelRule } from '@platen/contract/map-styles';
import { findElement, type XmlElement } from '@platen/formats/xml/xml-tree';
import { fontOf } from '../../label-options.ts';
import { isAttributeName } from '../conditions.ts';
import type { NoteList } from '../notes.ts';
import { attributeOf } from './read-expression.ts';
import { colourOf, pixelsOf } from './read-symbol.ts';

const boldWeight = 63;

/** The label of a layer; undefined if it has none, or if that is not the value of one attribute. */
export function readLabel(root: XmlElement, notes: NoteList): LabelRule | undefined {
  const labeling = findElement(root, 'labeling');
  if (!labeling || root.attributes['labelsEnabled'] === '0') return undefined;
  const text = findElement(labeling, 'settings', 'text-style');
  const {
    fieldName = '',
    isExpression,
    fontFamily,
    fontSize,
    fontSizeUnit,
    textColor,
    fontWeight,
    namedStyle,
  } = text?.attributes ?? {};
  const attribute = isExpression === '1' ? attributeOf(fieldName) : fieldName;
  if (labeling.attributes['type'] !== 'simple' || !isAttributeName(attribute)) {
    notes.add('leftOut', { what: 'Label' });
    return undefined;
  }
  const size = pixelsOf(fontSize, fontSizeUnit ?? 'Point', notes, 'Label');
  const buffer = findElement(text, 'text-buffer')?.attributes ?? {};
  const colour = colourOf(textColor);
  const halo = buffer['bufferDraw'] === '1' ? colourOf(buffer['bufferColor']) : undefined;
  const isBold = Number(fontWeight) >= boldWeight || /\bbold\b/i.test(namedStyle ?? '');
  const font = fontFamily === undefined ? 'sans' : fontOf(fontFamily);
  if (font === undefined) notes.add('leftOut', { what: `fontFamily ${fontFamily}` });
  return {
    attribute,
    ...(font && font !== 'sans' && { font }),
    ...(size !== undefined && { size: Math.min(72, Math.max(6, Math.round(size * 10) / 10)) }),
    ...(isBold && { isBold }),
    ...(colour && { colour: colour.colour }),
    ...(halo && { haloColour: halo.colour }),
  };
}
