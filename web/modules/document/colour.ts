/** A colour as browser controls represent it. */
export interface Colour {
  /** `#rrggbb`. */
  readonly hex: string;
  readonly alpha: number;
}

const two = (value: number) => Math.round(value).toString(16).padStart(2, '0');
const hexOf = (parts: readonly number[]) => `#${parts.slice(0, 3).map(two).join('')}`;
const known: Readonly<Record<string, string>> = {
  black: '#000000',
  white: '#ffffff',
  red: '#ff0000',
  green: '#008000',
  blue: '#0000ff',
  yellow: '#ffff00',
  orange: '#ffa500',
  gray: '#808080',
  grey: '#808080',
};

/** Parses a style's colour, also `color('#fff', 0.5)`; undefined for an expression or anything else. */
export function parseColour(value: unknown): Colour | undefined {
  if (Array.isArray(value) && value.length >= 3 && value.every((part) => typeof part === 'number'))
    return { hex: hexOf(value as number[]), alpha: (value[3] as number | undefined) ?? 1 };
  if (typeof value !== 'string') return undefined;
  const text = value.trim().toLowerCase();
  const called = /^color\(\s*['"]([^'"]+)['"]\s*(?:,\s*([\d.]+)\s*)?\)$/.exec(text);
  if (called) {
    const inner = parseColour(called[1]);
    return inner && { hex: inner.hex, alpha: called[2] === undefined ? inner.alpha : Number(called[2]) };
  }
  const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(text);
  if (short)
    return {
      hex: `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`,
      alpha: 1,
    };
  const long = /^#([\da-f]{6})([\da-f]{2})?$/.exec(text);
  if (long)
    return {
      hex: `#${long[1]}`,
      alpha: long[2] === undefined ? 1 : round(Number.parseInt(long[2], 16) / 255),
    };
  const rgb = /^rgba?\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*([\d.]+)\s*)?\)$/.exec(text);
  if (rgb)
    return { hex: hexOf(rgb.slice(1, 4).map(Number)), alpha: rgb[4] === undefined ? 1 : Number(rgb[4]) };
  const named = known[text];
  return named === undefined ? undefined : { hex: named, alpha: 1 };
}

const round = (value: number) => Math.round(value * 100) / 100;

/** The notation that the map viewer accepts everywhere. */
export function formatColour({ hex, alpha }: Colour): string {
  if (alpha >= 1) return hex;
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgba(${parts.join(', ')}, ${round(Math.max(0, alpha))})`;
}

/** A colour as an expression of a declarative style. */
export const colourExpression = ({ hex, alpha }: Colour): string =>
  alpha >= 1 ? `color('${hex}')` : `color('${hex}', ${round(alpha)})`;
