import type { CategoryValue, ColourRule, SizeRule } from '@platen/contract/map-styles';
import { isCategoryValue } from './conditions.ts';
import { withEnds } from './with-ends.ts';

/** A parameter as the file says it: a text, or outputs by an attribute. */
export type ParameterValue =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'continuous';
      readonly attribute: string;
      readonly stops: readonly (readonly [number, string])[];
      readonly fallback?: string | undefined;
    }
  | {
      /** The first output applies below the first limit, each other one from its limit. */
      readonly type: 'classes';
      readonly attribute: string;
      readonly limits: readonly number[];
      readonly outputs: readonly string[];
      readonly fallback?: string | undefined;
    }
  | {
      readonly type: 'categories';
      readonly attribute: string;
      readonly outputs: readonly (readonly [readonly CategoryValue[], string])[];
      readonly fallback?: string | undefined;
    };

const isAscending = (numbers: readonly number[]) =>
  numbers.every((number, i) => Number.isFinite(number) && (i === 0 || number > numbers[i - 1]!));

export function continuous(
  attribute: string,
  data: readonly (readonly [string | number, string])[],
  fallback?: string,
): ParameterValue | undefined {
  const stops = data.map(([value, output]) => [Number(value), output] as const);
  const isUsable = stops.length >= 2 && isAscending(stops.map(([value]) => value));
  return isUsable ? { type: 'continuous', attribute, stops, fallback } : undefined;
}

export function classes(
  attribute: string,
  data: readonly string[],
  fallback?: string,
): ParameterValue | undefined {
  const limits = data.filter((_, i) => i % 2 === 1).map(Number);
  const outputs = data.filter((_, i) => i % 2 === 0);
  const isUsable = limits.length > 0 && outputs.length === limits.length + 1 && isAscending(limits);
  return isUsable ? { type: 'classes', attribute, limits, outputs, fallback } : undefined;
}

export function categories(
  attribute: string,
  outputs: readonly (readonly [readonly CategoryValue[] | undefined, string])[],
  fallback?: string,
): ParameterValue | undefined {
  const used = outputs.flatMap(([values, output]) =>
    values && values.length > 0 ? [[values, output] as const] : [],
  );
  const isUsable = used.length > 0 && outputs.every(([values]) => values?.every(isCategoryValue));
  return isUsable ? { type: 'categories', attribute, outputs: used, fallback } : undefined;
}

/** A colour, or colours by an attribute; undefined if any is none. */
export function colourOf(
  value: ParameterValue,
  parse: (text: string) => string | undefined,
): string | ColourRule | undefined {
  if (value.type === 'text') return parse(value.text);
  const { attribute, fallback } = value;
  const rest = fallback === undefined ? undefined : parse(fallback);
  const noValue = rest === undefined ? {} : { noValue: { colour: rest } };
  const outputs = outputsOf(value).map(parse);
  if (outputs.includes(undefined)) return undefined;
  const colours = outputs as string[];
  switch (value.type) {
    case 'continuous': {
      const stops = value.stops.map(([number], i) => ({ value: number, colour: colours[i]! }));
      return { type: 'continuous', attribute, stops, ...noValue };
    }
    case 'classes':
      return {
        type: 'classes',
        attribute,
        method: 'own',
        breaks: withEnds(value.limits),
        colours,
        ...noValue,
      };
    case 'categories':
      return {
        type: 'categories',
        attribute,
        categories: value.outputs.map(([values], i) => ({ values: [...values], colour: colours[i]! })),
        ...(rest !== undefined && { others: { colour: rest } }),
      };
  }
}

/** A size in pixels, or sizes by an attribute; undefined if any is none. */
export function sizeOf(value: ParameterValue, scale: number): number | SizeRule | undefined {
  const outputs = outputsOf(value).map((text) => (text === '' ? Number.NaN : Number(text) * scale));
  if (!outputs.every(Number.isFinite)) return undefined;
  switch (value.type) {
    case 'text':
      return outputs[0];
    case 'continuous': {
      const [first, last] = [value.stops[0]!, value.stops.at(-1)!];
      if (value.stops.length > 2) return undefined;
      return {
        type: 'continuous',
        attribute: value.attribute,
        from: { value: first[0], size: outputs[0]! },
        to: { value: last[0], size: outputs.at(-1)! },
      };
    }
    case 'classes':
      return {
        type: 'classes',
        attribute: value.attribute,
        breaks: withEnds(value.limits),
        sizes: outputs,
      };
    case 'categories':
      return undefined;
  }
}

export function outputsOf(value: ParameterValue): readonly string[] {
  switch (value.type) {
    case 'text':
      return [value.text];
    case 'continuous':
      return value.stops.map(([, output]) => output);
    case 'classes':
      return value.outputs;
    case 'categories':
      return value.outputs.map(([, output]) => output);
  }
}
