const number = String.raw`(\d{1,3}(?:[.,]\d+)?)`;
const angle = new RegExp(
  String.raw`^([NSEW])?\s*([+-]?)${number}\s*(?:[°º˚d]|deg)?\s*` +
    String.raw`(?:${number}\s*(?:['′’´m]|min)?\s*(?:${number}\s*(?:["″”]|''|′′|’’|s|sec)?)?)?\s*([NSEW])?$`,
  'i',
);

/** Expressions that look back and forth only see short texts. */
const maxAngleLength = 60;
const maxPairLength = 2 * maxAngleLength;

/**
 * Degrees with minutes, seconds and hemisphere, as 48°08'14"N, N 48 08.25 or 11.5 W; undefined for anything else.
 * O is refused: it is east in German and west in French and Spanish.
 */
export function parseAngle(text: string): number | undefined {
  const match = text.length > maxAngleLength ? null : angle.exec(text.trim());
  if (match === null) return undefined;
  const [, before, sign, degrees, minutes, seconds, behind] = match;
  if (before !== undefined && behind !== undefined) return undefined;
  const [d, m, s] = [degrees, minutes, seconds].map((part) => Number((part ?? '0').replace(',', '.')));
  if (m! >= 60 || s! >= 60 || d! > 360) return undefined;
  const hemisphere = (before ?? behind ?? '').toUpperCase();
  const negative = (sign === '-') !== (hemisphere === 'S' || hemisphere === 'W');
  const value = d! + m! / 60 + s! / 3600;
  return negative ? -value : value;
}

/** Two coordinates in one text, in its order: "48.1, 11.5", "48,1 11,5", "(48.1;11.5)", 48°08'N 11°34'E. */
export function parsePair(text: string): [number, number] | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxPairLength) return undefined;
  const bare = trimmed.replace(/^[[({]\s*|(?<!\s)\s*[\])}]$/g, '');
  const parts =
    /^(.*[NS])[\s,;/]*(.*[EW])$/i.exec(bare)?.slice(1) ??
    /^([+-]?\d+(?:\.\d*)?)\s*[,;/\s]\s*([+-]?\d+(?:\.\d*)?)$/.exec(bare)?.slice(1) ??
    /^([+-]?\d+,\d+)\s*(?:[;/\s]|,\s)\s*([+-]?\d+,\d+)$/.exec(bare)?.slice(1) ??
    [];
  const values = parts.map(parseAngle);
  const [first, second] = values;
  return first === undefined || second === undefined ? undefined : [first, second];
}
