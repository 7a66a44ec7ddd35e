import { formatColour } from '@platen/geo/canvas/colour';
import type { ValueOf } from '@platen/styles/drawn-style';
import { isObject } from '../../../base/is-object.ts';

export interface InkColour {
  /** `#rrggbb` */
  readonly colour: string;
  /** 0 to 1. */
  readonly opacity: number;
}

/** Reads `#rgb`, `#rrggbb`, `rgb()`, `rgba()` or a list of three or four numbers; undefined for anything else. */
export function parseCssColour(value: unknown): InkColour | undefined {
  if (Array.isArray(value)) return colourOfParts(value);
  if (typeof value !== 'string' || value.length > 100) return undefined;
  const text = value.trim().toLowerCase();
  if (/^#[\da-f]{6}$/.test(text)) return { colour: text, opacity: 1 };
  if (/^#[\da-f]{3}$/.test(text)) return { colour: text.replaceAll(/[\da-f]/g, '$&$&'), opacity: 1 };
  const inside = /^rgba?\(([^()]*)\)$/.exec(text)?.[1];
  return inside === undefined ? undefined : colourOfParts(inside.split(',').map(Number));
}

function colourOfParts(parts: readonly unknown[]): InkColour | undefined {
  const isValid = (part: unknown) => typeof part === 'number' && part >= 0 && part <= 255;
  if (parts.length < 3 || parts.length > 4 || !parts.every(isValid)) return undefined;
  const [red, green, blue, opacity = 1] = parts as number[];
  return {
    colour: formatColour([Math.round(red!), Math.round(green!), Math.round(blue!)]),
    opacity: Math.min(1, opacity),
  };
}

/** The colour of an expression of 3D Tiles Styling, or of its first condition that is met; undefined: not understood. */
export function colourOfExpression(expression: unknown, value: ValueOf): InkColour | undefined {
  if (typeof expression === 'string') return colourLiteral(expression);
  const conditions = isObject(expression) ? expression['conditions'] : undefined;
  if (!Array.isArray(conditions)) return undefined;
  for (const condition of conditions as unknown[]) {
    if (!Array.isArray(condition)) continue;
    const [test, colour] = condition as unknown[];
    if (isMet(String(test), value)) return colourLiteral(String(colour));
  }
  return undefined;
}

/** `color('#rrggbb')`, `color('#rrggbb', 0.5)`, or a colour by itself. */
function colourLiteral(text: string): InkColour | undefined {
  const [, colour, opacity = '1'] = /^color\('([^']*)'(?:, ?([\d.]+))?\)$/.exec(text.trim()) ?? [];
  const parsed = parseCssColour(colour ?? text);
  return parsed && { ...parsed, opacity: Math.min(1, parsed.opacity * Number(opacity)) };
}

/** `true`, or a comparison with a text: `${layer} === 'roads'`. */
function isMet(test: string, value: ValueOf): boolean {
  if (test === 'true') return true;
  const [, attribute, text] = /^\$\{([^{}]+)\} ===? '([^']*)'$/.exec(test) ?? [];
  return attribute !== undefined && value(attribute) === text;
}

export function numberOfExpression(expression: unknown): number | undefined {
  if (typeof expression !== 'string' && typeof expression !== 'number') return undefined;
  const number = Number(expression);
  return number >= 0 && number <= 200 ? number : undefined;
}
