/** Labels that would be wider are cut off or broken by nobody, so they only take the place of others up to here. */
const maxPixels = 400;

/** Widths of characters as shares of the font size, of common fonts without serifs; wide ones are those of East Asia. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const narrow = /[ fijlrt.,:;'’|!()[\]-]/;
const shares = { wide: 1, narrow: 0.32, other: 0.6 };

/** The approximate width of a text in pixels. @param size of the font, in pixels */
export function labelWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) {
    width += wide.test(character) ? shares.wide : narrow.test(character) ? shares.narrow : shares.other;
    if (width * size >= maxPixels) return maxPixels;
  }
  return width * size;
}
