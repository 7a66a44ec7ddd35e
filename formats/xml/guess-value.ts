/** Digits that a double keeps. */
const exactDigits = 15;
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d{1,3})?)?$/;

/**
 * Guesses the value of a text without a schema: a number, a boolean, or the text itself. Texts with a leading zero or
 * plus sign, or with more digits than a double keeps, are codes.
 */
export function guessValue(text: string): string | number | boolean {
  const first = text.charCodeAt(0);
  if ((first >= 48 && first <= 57) || first === 45) {
    if (text.length > 28 || !decimal.test(text)) return text;
    const value = Number(text);
    const exact =
      text.length <= exactDigits || text.split(/e/i, 1)[0]!.replace(/\D/g, '').length <= exactDigits;
    // Other programs write doubles with 16 or 17 digits: a text that survives a round trip is a number.
    return Number.isFinite(value) && (exact || String(value) === text) ? value : text;
  }
  if (text === 'true') return true;
  return text === 'false' ? false : text;
}
