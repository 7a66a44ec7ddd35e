/** Digits that a double keeps. */
const exactDigits = 15;
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d{1,3})?)?$/;

/**
 * What a text without a schema most likely means: a number, true or false, or itself. What begins with a zero too
 * many, with a plus sign, or has more digits than a double keeps is no number but a code.
 */
export function guessValue(text: string): string | number | boolean {
  const first = text.charCodeAt(0);
  if ((first >= 48 && first <= 57) || first === 45) {
    if (text.length > 28 || !decimal.test(text)) return text;
    const value = Number(text);
    const exact =
      text.length <= exactDigits || text.replace(/[eE].*$/, '').replace(/\D/g, '').length <= exactDigits;
    // Doubles of other programs are written with 16 and 17 digits: what comes out again as it went in is one.
    return Number.isFinite(value) && (exact || String(value) === text) ? value : text;
  }
  if (text === 'true') return true;
  return text === 'false' ? false : text;
}
