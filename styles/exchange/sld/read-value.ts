import type { XmlElement } from '@platen/formats/xml/xml-tree';
import { valueOfText } from '../conditions.ts';
import { categories, classes, continuous, type ParameterValue } from '../parameter-value.ts';
import { literalOf, propertyOf } from './read-filter.ts';

/** @returns undefined for expressions that are not known */
export function readValue(parameter: XmlElement): ParameterValue | undefined {
  const [child] = parameter.children;
  if (!child) return { type: 'text', text: parameter.text };
  if (parameter.children.length > 1) return undefined;
  if (child.name === 'Literal') return { type: 'text', text: child.text };
  const property = propertyOf(child);
  if (property !== undefined) return undefined;
  return child.name === 'Function' ? readFunction(child) : readEncoded(child);
}

/** Functions of OGC filters as GeoServer has them: their arguments are in a row. */
function readFunction({ attributes, children: [input, ...rest] }: XmlElement): ParameterValue | undefined {
  const attribute = input && propertyOf(input);
  const texts = rest.map(({ name, text }) => (name === 'Literal' ? text : undefined));
  if (attribute === undefined || texts.includes(undefined)) return undefined;
  const args = texts as string[];
  switch (attributes['name'] ?? '') {
    case 'Interpolate': {
      const words = new Set(['color', 'numeric', 'linear']);
      const data = args.filter((text) => !words.has(text));
      return continuous(attribute, pairs(data));
    }
    case 'Categorize': {
      if (args.at(-1) === 'preceding') return undefined;
      const data = args.at(-1) === 'succeeding' ? args.slice(0, -1) : args;
      return classes(attribute, data);
    }
    case 'Recode':
      return recode(attribute, pairs(args));
    default:
      return undefined;
  }
}

/** Functions of Symbology Encoding 1.1. */
function readEncoded({ name, attributes, children }: XmlElement): ParameterValue | undefined {
  const lookup = children.find((child) => child.name === 'LookupValue');
  const attribute = lookup?.children[0] && propertyOf(lookup.children[0]);
  const fallback = attributes['fallbackValue'];
  if (attribute === undefined) return undefined;
  const pairsOf = (item: string) =>
    children
      .filter((child) => child.name === item)
      .map(({ children: parts }) => [textOf(parts[0]), textOf(parts[1])] as const);
  switch (name) {
    case 'Interpolate':
      return (attributes['mode'] ?? 'linear') === 'linear'
        ? continuous(attribute, pairsOf('InterpolationPoint'), fallback)
        : undefined;
    case 'Recode':
      return recode(attribute, pairsOf('MapItem'), fallback);
    case 'Categorize': {
      const isPreceding =
        (attributes['threshholdsBelongTo'] ?? attributes['thresholdsBelongTo']) === 'preceding';
      const parts = children.filter((child) => child.name === 'Value' || child.name === 'Threshold');
      return isPreceding ? undefined : classes(attribute, parts.map(textOf), fallback);
    }
    default:
      return undefined;
  }
}

function textOf(element: XmlElement | undefined): string {
  const [child] = element?.children ?? [];
  return child && literalOf(child) !== undefined ? child.text : (element?.text ?? '');
}

type Pair = readonly [string, string];
const pairs = (texts: readonly string[]): Pair[] =>
  texts.flatMap((text, i) => (i % 2 === 0 && i + 1 < texts.length ? [[text, texts[i + 1]!] as const] : []));

const recode = (attribute: string, data: readonly Pair[], fallback?: string) =>
  categories(
    attribute,
    data.map(([value, output]) => [[valueOfText(value)], output] as const),
    fallback,
  );
