const size = /(\d+(?:\.\d+)?)px/;

/** The size in pixels of a CSS font. */
export function sizeOfFont(font: unknown): number | undefined {
  const found = typeof font === 'string' ? size.exec(font) : null;
  return found ? Number(found[1]) : undefined;
}

/** The same font in another size. */
export function fontOf(font: unknown, pixels: number | undefined): string | undefined {
  if (pixels === undefined || !Number.isFinite(pixels)) return typeof font === 'string' ? font : undefined;
  if (typeof font !== 'string' || !size.test(font)) return `${pixels}px sans-serif`;
  return font.replace(size, `${pixels}px`);
}
