import { isAttributeName, valuesOf } from '../conditions.ts';
import type { NoteList } from '../notes.ts';
import { categories, classes, continuous, type ParameterValue } from '../parameter-value.ts';
import { attributeOf, isExpression, listOf, readFilter, textOf } from './read-filter.ts';

type Json = Readonly<Record<string, unknown>>;

/** A value of paint or layout: a constant, or outputs by an attribute; undefined if it is another expression. */
export function readExpression(value: unknown, what: string, notes: NoteList): ParameterValue | undefined {
  if (typeof value === 'string' || typeof value === 'number') return { type: 'text', text: String(value) };
  if (isExpression(value)) return readOperator(value);
  return typeof value === 'object' && value !== null ? readFunction(value as Json) : undefined;

  function readOperator([operator, ...args]: readonly unknown[]): ParameterValue | undefined {
    switch (operator) {
      case 'literal':
      case 'to-color':
        return readExpression(args[0], what, notes);
      case 'rgb':
      case 'rgba':
        return { type: 'text', text: textOf([operator, ...args]) };
      case 'match':
        return readMatch(args);
      case 'step':
        if (isZoom(args[0])) return ofHighestZoom(args.at(-1));
        return withAttribute(args[0], (attribute) => classes(attribute, textsOf(args.slice(1))));
      case 'interpolate':
        if (isZoom(args[1])) return ofHighestZoom(args.at(-1));
        if (!isExpression(args[0]) || args[0][0] !== 'linear') return undefined;
        return withAttribute(args[1], (attribute) => continuous(attribute, pairsOf(textsOf(args.slice(2)))));
      case 'case':
        return readCase(args);
      default:
        return undefined;
    }
  }

  function ofHighestZoom(output: unknown): ParameterValue | undefined {
    notes.add('zoom', { what });
    return readExpression(output, what, notes);
  }

  function readMatch([input, ...args]: readonly unknown[]): ParameterValue | undefined {
    const fallback = args.at(-1);
    const pairs = args.slice(0, -1);
    const outputs = pairs.flatMap((output, i) =>
      i % 2 === 1 ? [[listOf(pairs[i - 1]), textOf(output)] as const] : [],
    );
    return withAttribute(input, (attribute) => categories(attribute, outputs, textOf(fallback)));
  }

  /** A test for a number, or tests of one attribute for equality. */
  function readCase(args: readonly unknown[]): ParameterValue | undefined {
    const fallback = textOf(args.at(-1));
    const tests = args.slice(0, -1).filter((_, i) => i % 2 === 0);
    const outputs = args.slice(0, -1).filter((_, i) => i % 2 === 1);
    const conditions = tests.map((test) => readFilter(test));
    if (conditions.some((some) => some?.length !== 1)) return undefined;
    const all = conditions.map((some) => some![0]!);
    const [first] = all;
    if (!first || all.some(({ attribute }) => attribute !== first.attribute)) return undefined;
    if (all.length === 1 && first.operator === 'exists') {
      const inner = readExpression(outputs[0], what, notes);
      if (!inner || inner.type === 'text' || inner.attribute !== first.attribute) return undefined;
      return { ...inner, fallback };
    }
    const values = all.map(valuesOf);
    if (values.includes(undefined)) return undefined;
    return categories(
      first.attribute,
      values.map((some, i) => [some, textOf(outputs[i])] as const),
      fallback,
    );
  }

  /** A function of former versions of the specification. */
  function readFunction({ property, type, stops, default: fallback }: Json): ParameterValue | undefined {
    if (!isExpression(stops)) return undefined;
    const pairs = stops.filter(isExpression).map(([input, output]) => [input, textOf(output)] as const);
    if (property === undefined) {
      const last: unknown = stops.at(-1);
      return ofHighestZoom(isExpression(last) ? last[1] : undefined);
    }
    if (!isAttributeName(property)) return undefined;
    const rest = fallback === undefined ? undefined : textOf(fallback);
    if (type === 'categorical')
      return categories(
        property,
        pairs.map(([input, output]) => [listOf(input), output] as const),
        rest,
      );
    const numbers = pairs.map(([input, output]) => [Number(input), output] as const);
    if (type !== 'interval') return continuous(property, numbers, rest);
    const texts = numbers.flatMap(([input, output], i) => (i === 0 ? [output] : [String(input), output]));
    return classes(property, texts, rest);
  }
}

const isZoom = (input: unknown) => isExpression(input) && input[0] === 'zoom';

function withAttribute(
  input: unknown,
  read: (attribute: string) => ParameterValue | undefined,
): ParameterValue | undefined {
  const attribute = attributeOf(input);
  return attribute === undefined ? undefined : read(attribute);
}

const textsOf = (values: readonly unknown[]) => values.map(textOf);
const pairsOf = (texts: readonly string[]) =>
  texts.flatMap((text, i) => (i % 2 === 0 ? [[text, texts[i + 1] ?? ''] as const] : []));
