import type { CategoryValue } from '@platen/contract/map-styles';

/** An expression of 3D Tiles Styling, or conditions of which the first that is true decides. */
export type StyleExpression = string | { readonly conditions: readonly (readonly [string, string])[] };

/**
 * The value of an attribute, as an expression of 3D Tiles Styling. The language cannot name attributes that contain
 * `}`, or both kinds of quotation marks: these are `undefined`.
 */
export function attributeValue(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name) && name !== 'feature') return `\${${name}}`;
  if (name.includes('}') || (name.includes("'") && name.includes('"'))) return 'undefined';
  const quote = name.includes("'") ? '"' : "'";
  return `\${feature[${quote}${name}${quote}]}`;
}

/** The number of an attribute; NaN if it has none, except for null and empty texts (see `hasNoNumber`). */
export const attributeNumber = (name: string): string => `Number(${attributeValue(name)})`;

/** Comparisons with what is no number are errors of the language, so these features are recognised before. */
export function hasNoNumber(name: string): string {
  const value = attributeValue(name);
  return `${value} === null || ${value} === '' || isNaN(${attributeNumber(name)})`;
}

/** How expressions read the number of an attribute, and whether there is none. */
export interface NumberNotation {
  readonly numberOf: (name: string) => string;
  readonly hasNone: (name: string) => string;
  /** Whether there is no value at all. */
  readonly isMissing: (name: string) => string;
}

export const numbersOfFeatures: NumberNotation = {
  numberOf: attributeNumber,
  hasNone: hasNoNumber,
  isMissing: (name) => `${attributeValue(name)} === null || ${attributeValue(name)} === undefined`,
};

const hasLowest = (name: string) => `${attributeValue(name)} < -1e20`;

/** Shaders of points know no texts and no nulls: points without a number have the lowest float. */
export const numbersOfPoints: NumberNotation = {
  numberOf: attributeValue,
  hasNone: hasLowest,
  isMissing: hasLowest,
};

/** A constant. Texts with `${`, or with both kinds of quotation marks, are concatenated of parts. */
export function literal(value: CategoryValue): string {
  if (typeof value !== 'string') return String(value);
  const parts = value.split(/(?<=\$)(?=\{)|(?<=')(?=[^']*")|(?<=")(?=[^"]*')/);
  const quoted = parts.map((part) => (part.includes("'") ? `"${part}"` : `'${part}'`));
  return quoted.length === 1 ? quoted[0]! : `(${quoted.join(' + ')})`;
}

export const equalsAny = (name: string, values: readonly CategoryValue[]): string =>
  values.map((value) => `${attributeValue(name)} === ${literal(value)}`).join(' || ');

export const colourLiteral = (hex: string, opacity = 1): string =>
  opacity >= 1 ? `color('${hex}')` : `color('${hex}', ${Math.round(opacity * 100) / 100})`;
