// Runs in the browser, as a part of start.ts.

/** Letters that do not decompose, and what people type instead. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  // Arabic: forms of the same letter at the end of a word, Persian forms, and the line that only stretches words
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
  ـ: '',
  // Hebrew letters at the end of a word
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
};

/** Makes names comparable: without case, accents, vowel points, marks of direction, apostrophes and hyphens. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Cf}'’‘ʼʻʿʾ`´]/gu, '')
    .replaceAll(/[ßæœøđðþłıħىیةکـךםןףץ]/g, (letter) => letters[letter]!)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
