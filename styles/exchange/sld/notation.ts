import type { ColourRule, SizeRule } from '@platen/contract/map-styles';
import { boundsOf, colourAt, sizeAt } from '../../class-bounds.ts';
import { styleDefaults } from '../../style-defaults.ts';
import { element, textElement, type XmlNode } from '../format-xml.ts';

export type SldVersion = '1.0.0' | '1.1.0';
type Attributes = Readonly<Record<string, string>>;

/** What the versions of SLD write differently. Prefixes are with their colons. */
export interface SldNotation {
  readonly namespaces: Attributes;
  readonly sld: string;
  readonly se: string;
  readonly ogc: string;
  readonly parameterName: string;
  readonly title: (text: string) => XmlNode;
  readonly parameter: (name: string, value: string | number) => XmlNode;
  /** A parameter with a colour, or with a function of an attribute. */
  readonly paint: (name: string, colour: string | ColourRule) => XmlNode;
  /** A size, or a function of an attribute. */
  readonly size: (name: string, attributes: Attributes, size: number | SizeRule) => XmlNode;
}

/** Outputs by an attribute. */
interface Steps {
  readonly name: 'Interpolate' | 'Categorize' | 'Recode';
  readonly attribute: string;
  /** The output of each value; of Categorize, the first value is not used. */
  readonly pairs: readonly (readonly [string | number | boolean, string | number])[];
  readonly method: 'color' | 'numeric';
  readonly fallback: string | number;
}

export function sldNotation(version: SldVersion): SldNotation {
  const isEncoding = version === '1.1.0';
  const sld = isEncoding ? 'sld:' : '';
  const se = isEncoding ? 'se:' : '';
  const ogc = 'ogc:';
  const parameterName = isEncoding ? 'se:SvgParameter' : 'CssParameter';
  const write = isEncoding ? encoded : functionOf;
  const wrap = (name: string, attributes: Attributes, steps: Steps) =>
    element(name, attributes, write(steps));
  return {
    namespaces: {
      ...(isEncoding
        ? { 'xmlns:sld': 'http://www.opengis.net/sld', 'xmlns:se': 'http://www.opengis.net/se' }
        : { xmlns: 'http://www.opengis.net/sld' }),
      'xmlns:ogc': 'http://www.opengis.net/ogc',
    },
    sld,
    se,
    ogc,
    parameterName,
    title: (text) =>
      isEncoding ? element('se:Description', {}, textElement('se:Title', text)) : textElement('Title', text),
    parameter: (name, value) => textElement(parameterName, value, { name }),
    paint: (name, colour) =>
      typeof colour === 'string' || colour.type === 'single'
        ? textElement(parameterName, typeof colour === 'string' ? colour : colour.colour, { name })
        : wrap(parameterName, { name }, coloursAsSteps(colour)),
    size: (name, attributes, size) =>
      typeof size === 'number' || size.type === 'single'
        ? textElement(name, typeof size === 'number' ? size : size.size, attributes)
        : wrap(name, attributes, sizesAsSteps(size)),
  };
}

function coloursAsSteps(rule: Exclude<ColourRule, { type: 'single' }>): Steps {
  const { attribute } = rule;
  const rest = rule.type === 'categories' ? rule.others : rule.noValue;
  const common = { attribute, method: 'color', fallback: rest?.colour ?? styleDefaults.colour } as const;
  switch (rule.type) {
    case 'categories': {
      const pairs = rule.categories.flatMap(({ values, colour }) =>
        values.map((value) => [value, colour] as const),
      );
      return { name: 'Recode', ...common, pairs };
    }
    case 'classes': {
      const pairs = boundsOf(rule.breaks).map(
        ({ from = 0 }, i) => [from, colourAt(rule.colours, i)] as const,
      );
      return { name: 'Categorize', ...common, pairs };
    }
    case 'continuous':
      return {
        name: 'Interpolate',
        ...common,
        pairs: rule.stops.map(({ value, colour }) => [value, colour] as const),
      };
  }
}

function sizesAsSteps(rule: Exclude<SizeRule, { type: 'single' }>): Steps {
  const { attribute } = rule;
  if (rule.type === 'classes') {
    const pairs = boundsOf(rule.breaks).map(({ from = 0 }, i) => [from, sizeAt(rule.sizes, i)] as const);
    return { name: 'Categorize', attribute, method: 'numeric', fallback: sizeAt(rule.sizes, 0), pairs };
  }
  const { from, to } = rule;
  const pairs = [from, to].map(({ value, size }) => [value, size] as const);
  return { name: 'Interpolate', attribute, method: 'numeric', fallback: from.size, pairs };
}

/** A function of OGC filters with its arguments in a row, as GeoServer reads them from SLD 1.0. */
function functionOf({ name, attribute, pairs, method }: Steps): XmlNode {
  const values = name === 'Categorize' ? pairs.flat().slice(1) : pairs.flat();
  const last = { Interpolate: [method], Categorize: ['succeeding'], Recode: [] }[name];
  return element(
    'ogc:Function',
    { name },
    textElement('ogc:PropertyName', attribute),
    ...[...values, ...last].map((value) => textElement('ogc:Literal', String(value))),
  );
}

/** An element of Symbology Encoding. */
function encoded({ name, attribute, pairs, method, fallback }: Steps): XmlNode {
  const lookup = element('se:LookupValue', {}, textElement('ogc:PropertyName', attribute));
  const options = { fallbackValue: fallback };
  switch (name) {
    case 'Interpolate': {
      const points = pairs.map(([data, value]) =>
        element(
          'se:InterpolationPoint',
          {},
          textElement('se:Data', String(data)),
          textElement('se:Value', value),
        ),
      );
      return element('se:Interpolate', { ...options, mode: 'linear', method }, lookup, points);
    }
    case 'Categorize': {
      const parts = pairs.flatMap(([from, value], i) => [
        ...(i > 0 ? [textElement('se:Threshold', String(from))] : []),
        textElement('se:Value', value),
      ]);
      return element('se:Categorize', { ...options, threshholdsBelongTo: 'succeeding' }, lookup, parts);
    }
    case 'Recode': {
      const items = pairs.map(([data, value]) =>
        element('se:MapItem', {}, textElement('se:Data', String(data)), textElement('se:Value', value)),
      );
      return element('se:Recode', options, lookup, items);
    }
  }
}
