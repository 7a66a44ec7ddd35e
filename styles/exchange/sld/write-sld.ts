import type { CategoryValue, Hatch, LabelRule, MapStyle, StyledShape } from '@platen/contract/map-styles';
import { fontFamilies, labelOptions } from '../../label-options.ts';
import { styleDefaults } from '../../style-defaults.ts';
import { element, formatXml, textElement, type XmlNode } from '../format-xml.ts';
import type { NoteList } from '../notes.ts';
import {
  isConstant,
  type RuleSymbol,
  type StyleRule,
  type StyleToWrite,
  type SymbolShape,
} from '../rules.ts';
import { rulesOfStyle, symbolShape } from '../rules-of-style.ts';
import { hatchMarks } from './hatch-marks.ts';
import { sldNotation, type SldNotation, type SldVersion } from './notation.ts';
import { writeFilter } from './write-filter.ts';

/** A style as SLD 1.0, or as SLD 1.1 with Symbology Encoding. */
export function writeSld({ style, shape, name }: StyleToWrite, version: SldVersion, notes: NoteList): string {
  const notation = sldNotation(version);
  const { se, sld } = notation;
  const rules = rulesOfStyle(style, symbolShape(shape));
  noteLosses(style, shape, notes);
  const type = element(
    `${se}FeatureTypeStyle`,
    {},
    ...rules.map((rule) => writeRule(rule, style.label, notation)),
  );
  const root = element(
    `${sld}StyledLayerDescriptor`,
    { version, ...notation.namespaces },
    element(
      `${sld}NamedLayer`,
      {},
      textElement(`${se}Name`, name),
      element(`${sld}UserStyle`, {}, textElement(`${se}Name`, name), notation.title(name), type),
    ),
  );
  return formatXml(root);
}

function noteLosses({ colour, size, filter = [] }: MapStyle, shape: StyledShape, notes: NoteList) {
  if (colour.type === 'continuous') notes.add('needsFunctions', { what: 'Colour' });
  if (size && size.type !== 'single' && shape !== 'area' && shape !== 'object')
    notes.add('needsFunctions', { what: 'Size' });
  if (shape === 'mixed') notes.add('mixedShapes');
  const values = [
    ...filter.flatMap(({ values: some = [] }) => some),
    ...(colour.type === 'categories' ? colour.categories.flatMap((category) => category.values) : []),
  ];
  if (values.some(looksLikeOther)) notes.add('valuesAsText');
}

const looksLikeOther = (value: CategoryValue) =>
  typeof value === 'string' &&
  (value === 'true' || value === 'false' || (value !== '' && String(Number(value)) === value));

function writeRule(rule: StyleRule, label: LabelRule | undefined, notation: SldNotation): XmlNode {
  const { se, ogc } = notation;
  const { name, title, conditions, symbol } = rule;
  return element(
    `${se}Rule`,
    {},
    name !== undefined && textElement(`${se}Name`, name),
    title !== undefined && notation.title(title),
    conditions.length > 0 && writeFilter(conditions, ogc),
    symbolizers(symbol, notation),
    label && writeLabel(label, notation),
  );
}

function symbolizers(symbol: RuleSymbol, notation: SldNotation): XmlNode[] {
  const { se } = notation;
  const drawn: Record<SymbolShape, readonly SymbolShape[]> = {
    area: ['area'],
    line: ['line'],
    point: ['point'],
    mixed: ['area', 'line', 'point'],
  };
  return drawn[symbol.shape].flatMap((shape) => {
    if (shape === 'area' && symbol.hatch)
      return [
        element(`${se}PolygonSymbolizer`, {}, fillOf(symbol, notation)),
        element(
          `${se}PolygonSymbolizer`,
          {},
          hatchFillOf(symbol.hatch, notation),
          outlineOf(symbol, notation),
        ),
      ];
    if (shape === 'area')
      return element(
        `${se}PolygonSymbolizer`,
        {},
        fillOf(symbol, notation),
        symbol.shape === 'area' && outlineOf(symbol, notation),
      );
    if (shape === 'line') return element(`${se}LineSymbolizer`, {}, strokeOf(symbol, notation));
    const mark = element(
      `${se}Mark`,
      {},
      textElement(`${se}WellKnownName`, 'circle'),
      fillOf(symbol, notation),
      outlineOf(symbol, notation),
    );
    const size = notation.size(`${se}Size`, {}, symbol.size ?? styleDefaults.pointSize);
    return element(`${se}PointSymbolizer`, {}, element(`${se}Graphic`, {}, mark, size));
  });
}

const fillOf = ({ colour, opacity }: RuleSymbol, { se, parameter, paint }: SldNotation) =>
  element(`${se}Fill`, {}, paint('fill', colour), parameter('fill-opacity', opacity));

function hatchFillOf({ type, colour, width, spacing }: Hatch, { se, parameter }: SldNotation): XmlNode {
  const stroke = element(
    `${se}Stroke`,
    {},
    parameter('stroke', colour ?? styleDefaults.colour),
    parameter('stroke-width', width ?? styleDefaults.hatchWidth),
  );
  const mark = element(`${se}Mark`, {}, textElement(`${se}WellKnownName`, hatchMarks[type]), stroke);
  const size = textElement(`${se}Size`, spacing ?? styleDefaults.hatchSpacing);
  return element(`${se}Fill`, {}, element(`${se}GraphicFill`, {}, element(`${se}Graphic`, {}, mark, size)));
}

const strokeOf = ({ colour, opacity, size = 1 }: RuleSymbol, notation: SldNotation) =>
  element(
    `${notation.se}Stroke`,
    {},
    notation.paint('stroke', colour),
    notation.size(notation.parameterName, { name: 'stroke-width' }, size),
    notation.parameter('stroke-opacity', opacity),
  );

function outlineOf({ outline }: RuleSymbol, { se, parameter, paint }: SldNotation) {
  if (!outline) return undefined;
  const { colour, width } = outline;
  return element(
    `${se}Stroke`,
    {},
    isConstant(colour) ? parameter('stroke', colour) : paint('stroke', colour),
    parameter('stroke-width', width),
  );
}

function writeLabel(label: LabelRule, { se, ogc, parameter }: SldNotation): XmlNode {
  const { attribute, font, size, isBold, colour, haloColour } = labelOptions(label);
  return element(
    `${se}TextSymbolizer`,
    {},
    element(`${se}Label`, {}, textElement(`${ogc}PropertyName`, attribute)),
    element(
      `${se}Font`,
      {},
      parameter('font-family', fontFamilies[font]),
      parameter('font-weight', isBold ? 'bold' : 'normal'),
      parameter('font-size', size),
    ),
    element(
      `${se}Halo`,
      {},
      textElement(`${se}Radius`, styleDefaults.haloWidth),
      element(`${se}Fill`, {}, parameter('fill', haloColour)),
    ),
    element(`${se}Fill`, {}, parameter('fill', colour)),
  );
}
