import type { CategoryValue, ColourRule, Hatch, LabelRule, MapStyle } from '@platen/contract/map-styles';
import { parseColour } from '@platen/geo/canvas/colour';
import { labelOptions } from '../../label-options.ts';
import { styleDefaults } from '../../style-defaults.ts';
import { element, formatXml, type XmlNode } from '../format-xml.ts';
import type { NoteList } from '../notes.ts';
import {
  isConstant,
  type RuleSymbol,
  type StyleRule,
  type StyleToWrite,
  type SymbolShape,
} from '../rules.ts';
import { rulesOfStyle, symbolShape } from '../rules-of-style.ts';
import { brushStyles } from './brush.ts';
import { endless } from './read-qml.ts';
import { inSteps } from './in-steps.ts';
import { sizeExpression } from './size-expression.ts';
import { quotedName, writeExpression } from './write-expression.ts';

/** The file format of QGIS 3.22, a long-term release that later ones read. */
const version = '3.22.0';
const doctype = "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>";

/** A style as QML: a single symbol, categories or graduated symbols, or rules where these cannot say it. */
export function writeQml({ style: given, shape: wanted }: StyleToWrite, notes: NoteList): string {
  const shape = symbolShape(wanted);
  const style = inSteps(given, notes);
  if (shape === 'mixed') notes.add('leftOut', { what: 'Points and lines of mixed data' });
  const rules = rulesOfStyle(style, shape === 'mixed' ? 'area' : shape);
  if (rules.some(({ symbol }) => symbol.hatch)) notes.add('leftOut', { what: 'Hatch size' });
  const root = element(
    'qgis',
    { version, styleCategories: 'Symbology|Labeling', labelsEnabled: style.label ? 1 : 0 },
    rendererOf(style, rules, notes),
    style.label && labelElement(style.label),
  );
  return formatXml(root, doctype);
}

function rendererOf(style: MapStyle, rules: readonly StyleRule[], notes: NoteList): XmlNode {
  const symbols = rules.map(({ symbol }, i) => symbolElement(symbol, String(i)));
  const { colour, filter = [] } = style;
  const renderer = (type: string, attributes: Record<string, string>, ...parts: XmlNode[]) =>
    element(
      'renderer-v2',
      { type, enableorderby: 0, forceraster: 0, symbollevels: 0, ...attributes },
      ...parts,
      element('symbols', {}, symbols),
    );
  if (filter.length > 0 || needsRules(colour))
    return renderer('RuleRenderer', {}, element('rules', { key: 'root' }, rules.map(ruleElement)));
  if (colour.type === 'categories')
    return renderer(
      'categorizedSymbol',
      { attr: fieldName(colour.attribute) },
      element('categories', {}, categoriesOf(colour, rules)),
    );
  if (colour.type === 'classes') {
    notes.add('upperBreaks');
    return renderer(
      'graduatedSymbol',
      { attr: fieldName(colour.attribute), graduatedMethod: 'GraduatedColor' },
      element('ranges', {}, rangesOf(colour, rules)),
    );
  }
  return renderer('singleSymbol', {});
}

/** QGIS has no graduated symbol for a missing value, and draws the category of an empty text for all that no other names. */
const needsRules = (colour: ColourRule): boolean =>
  (colour.type === 'classes' && colour.noValue !== undefined) ||
  (colour.type === 'categories' && colour.categories.some(({ values }) => values.includes('')));

/** What could be an expression is quoted. */
const fieldName = (name: string) => (/^[\p{L}_][\p{L}\d_ ]*$/u.test(name) ? name : quotedName(name));

const ruleElement = ({ title, name, conditions }: StyleRule, index: number): XmlNode =>
  element('rule', {
    key: `{rule-${index}}`,
    symbol: index,
    label: title ?? name ?? '',
    ...(conditions.length > 0 && { filter: writeExpression(conditions) }),
  });

function categoriesOf(
  colour: Extract<ColourRule, { type: 'categories' }>,
  rules: readonly StyleRule[],
): XmlNode[] {
  const labelOf = (index: number) => rules[index]?.title ?? rules[index]?.name ?? '';
  const entry = (index: number, attributes: Record<string, string>, ...values: XmlNode[]) =>
    element('category', { symbol: index, label: labelOf(index), render: 'true', ...attributes }, ...values);
  const listed = colour.categories.map(({ values }, i) =>
    values.length === 1
      ? entry(i, valueAttributes(values[0]!))
      : entry(i, { type: 'List' }, ...values.map((value) => element('val', valueAttributes(value)))),
  );
  // QGIS draws what no category names by the one of an empty value
  return colour.others ? [...listed, entry(listed.length, { value: '', type: 'string' })] : listed;
}

const valueAttributes = (value: CategoryValue) => ({
  value: String(value),
  type:
    typeof value === 'string'
      ? 'string'
      : typeof value === 'boolean'
        ? 'bool'
        : Number.isInteger(value)
          ? 'long'
          : 'double',
});

/** Beyond the breaks lie the outer classes: QGIS draws no values there, so that their ends are far away. */
function rangesOf(
  { breaks }: Extract<ColourRule, { type: 'classes' }>,
  rules: readonly StyleRule[],
): XmlNode[] {
  const last = breaks.length - 2;
  return breaks.slice(0, -1).map((lower, i) =>
    element('range', {
      symbol: i,
      label: rules[i]?.title ?? rules[i]?.name ?? '',
      lower: i === 0 ? -endless : lower,
      upper: i === last ? endless : breaks[i + 1]!,
      render: 'true',
    }),
  );
}

const types: Readonly<Record<SymbolShape, readonly [type: string, layer: string]>> = {
  point: ['marker', 'SimpleMarker'],
  line: ['line', 'SimpleLine'],
  area: ['fill', 'SimpleFill'],
  mixed: ['fill', 'SimpleFill'],
};

function symbolElement(symbol: RuleSymbol, name: string): XmlNode {
  const { shape, size } = symbol;
  const [type, layer] = types[shape];
  const sized = typeof size === 'object' && size.type !== 'single' ? sizeExpression(size) : undefined;
  const layerOf = (properties: Record<string, string>, ...parts: (XmlNode | false)[]) =>
    element('layer', { class: layer, enabled: 1, pass: 0, locked: 0 }, options(properties), ...parts);
  return element(
    'symbol',
    { type, name, alpha: 1, clip_to_extent: 1, force_rhr: 0 },
    ...(symbol.hatch
      ? [
          layerOf(layerProperties({ ...symbol, outline: null })),
          layerOf(hatchProperties(symbol, symbol.hatch)),
        ]
      : [
          layerOf(
            layerProperties(symbol),
            sized !== undefined && dataDefined(shape === 'line' ? 'outlineWidth' : 'size', sized),
          ),
        ]),
  );
}

/** Of a layer above that of the area. */
const hatchProperties = (symbol: RuleSymbol, { type, colour }: Hatch): Record<string, string> => ({
  ...layerProperties(symbol),
  color: colourText(colour ?? styleDefaults.colour),
  style: brushStyles[type],
});

/** The opacity of a symbol would be that of its outline, too. */
function layerProperties({ shape, colour, opacity, size, outline }: RuleSymbol): Record<string, string> {
  const fill = colourText(isConstant(colour) ? colour : styleDefaults.colour, opacity);
  const pixels =
    typeof size === 'number' ? size : shape === 'line' ? styleDefaults.lineWidth : styleDefaults.pointSize;
  if (shape === 'line')
    return {
      line_color: fill,
      line_style: 'solid',
      line_width: String(pixels),
      line_width_unit: 'Pixel',
      capstyle: 'round',
      joinstyle: 'round',
    };
  // in QGIS, no width is a hairline
  const border: Record<string, string> =
    outline && outline.width > 0
      ? {
          outline_color: colourText(isConstant(outline.colour) ? outline.colour : styleDefaults.colour),
          outline_style: 'solid',
          outline_width: String(outline.width),
          outline_width_unit: 'Pixel',
        }
      : { outline_style: 'no' };
  if (shape === 'point')
    return { color: fill, name: 'circle', size: String(pixels), size_unit: 'Pixel', ...border };
  return { color: fill, style: 'solid', ...border };
}

const colourText = (hex: string, opacity = 1): string =>
  [...parseColour(hex), Math.round(opacity * 255)].join(',');

const options = (values: Readonly<Record<string, string>>): XmlNode =>
  element(
    'Option',
    { type: 'Map' },
    ...Object.entries(values).map(([name, value]) => element('Option', { name, value, type: 'QString' })),
  );

const dataDefined = (property: string, expression: string): XmlNode =>
  element(
    'data_defined_properties',
    {},
    element(
      'Option',
      { type: 'Map' },
      element('Option', { name: 'name', value: '', type: 'QString' }),
      element(
        'Option',
        { name: 'properties', type: 'Map' },
        element(
          'Option',
          { name: property, type: 'Map' },
          element('Option', { name: 'active', value: 'true', type: 'bool' }),
          element('Option', { name: 'expression', value: expression, type: 'QString' }),
          element('Option', { name: 'type', value: 3, type: 'int' }),
        ),
      ),
      element('Option', { name: 'type', value: 'collection', type: 'QString' }),
    ),
  );

const families = { sans: 'Sans Serif', serif: 'Serif', mono: 'Monospace' } as const;

function labelElement(label: LabelRule): XmlNode {
  const { attribute, font, size, isBold, colour, haloColour } = labelOptions(label);
  const buffer = element('text-buffer', {
    bufferDraw: 1,
    bufferColor: colourText(haloColour),
    bufferSize: styleDefaults.haloWidth,
    bufferSizeUnits: 'Pixel',
    bufferOpacity: 1,
  });
  const text = element(
    'text-style',
    {
      fieldName: attribute,
      isExpression: 0,
      fontFamily: families[font],
      fontSize: size,
      fontSizeUnit: 'Pixel',
      fontWeight: isBold ? 75 : 50,
      textColor: colourText(colour),
      textOpacity: 1,
    },
    buffer,
  );
  return element('labeling', { type: 'simple' }, element('settings', {}, text));
}
