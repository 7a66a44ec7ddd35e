import { isObject } from '../../base/is-object.ts';
import { brief, itemsOf, type Content, type Item, type Reports } from './findings.ts';

/** A style given in place, or as one of the module. */
export function checkStyle(style: unknown, pointer: string, reports: Reports): void {
  if (style === undefined || style === null || typeof style === 'string') return;
  const { error } = reports;
  if (!isObject(style)) return error(pointer, 'type', 'It must be a style or the name of a style.');
  const { type, declarativeStyle } = style;
  if (typeof type !== 'string' || type === '')
    return error(
      `${pointer}/type`,
      'required',
      'A style needs a type. Otherwise, the map viewer draws its default style.',
    );
  if (declarativeStyle !== undefined && !isObject(declarativeStyle))
    error(`${pointer}/declarativeStyle`, 'type', 'It must be an object.');
  if (type !== 'DeclarativeStyleItem') checkColours(style, pointer, reports);
}

/** Checks the styles and cluster groups of a module. */
export function checkStyles(content: Content, reports: Reports): void {
  for (const [index, style] of itemsOf(content, 'styles').entries()) {
    if (style['type'] !== undefined) checkStyle(style, `/styles/${index}`, reports);
  }
  for (const [index, group] of itemsOf(content, 'vectorClusterGroups').entries()) {
    const pointer = `/vectorClusterGroups/${index}`;
    for (const key of ['style', 'highlightStyle']) {
      const style = group[key];
      if (isObject(style)) checkColours(style, `${pointer}/${key}`, reports);
      else if (style !== undefined) reports.error(`${pointer}/${key}`, 'type', 'It must be a style.');
    }
  }
}

/** Checks the colours of a vector style, except those of texts, which may be any CSS colour. */
function checkColours(style: Item, pointer: string, { warning }: Reports): void {
  const look = (part: unknown, at: string) => {
    if (!isObject(part)) return;
    const { color } = part;
    if (color === undefined || color === null || isColour(color)) return;
    const shown = brief(typeof color === 'string' ? color : JSON.stringify(color));
    const detail = `The map viewer cannot read the colour ${shown} and draws a pale white. Use #rrggbb or rgba(255, 0, 0, 0.5).`;
    warning(`${at}/color`, 'unknownColour', detail);
  };
  const { fill, stroke, image } = style;
  look(fill, `${pointer}/fill`);
  if (isObject(fill)) look(fill['pattern'], `${pointer}/fill/pattern`);
  look(stroke, `${pointer}/stroke`);
  if (!isObject(image)) return;
  for (const key of ['fill', 'stroke']) look(image[key], `${pointer}/image/${key}`);
  const hasPicture = ['src', 'radius', 'icon', 'circle'].some((key) => image[key] !== undefined);
  if (!hasPicture)
    warning(
      `${pointer}/image`,
      'noSource',
      'Without src and radius, the map viewer draws its default circle.',
    );
}

/**
 * Whether the map viewer accepts the value as a colour. It accepts less than CSS: not `rgba(0, 0, 255, .5)` or `red`.
 */
function isColour(colour: unknown): boolean {
  if (Array.isArray(colour))
    return [3, 4].includes(colour.length) && colour.every((part) => Number.isFinite(part));
  if (typeof colour !== 'string') return false;
  if (colour.startsWith('#')) return /^#(?:[\da-f]{3}|[\da-f]{6}(?:[\da-f]{2})?)$/i.test(colour);
  return /^rgba?\(\d+, ?\d+, ?\d+(?:, ?[01](?:\.\d+)?)?\)/.test(colour.replaceAll(/\s+/g, ' '));
}
