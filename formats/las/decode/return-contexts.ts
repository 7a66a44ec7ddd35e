/** LASzip's contexts by number of returns and return number; 8 × 8 for POINT10, 16 × 16 for POINT14. */
const pointwise = 'fedcba98e0136aa9d1247bbac3458ccbb6789ddcaabcdeed9abcdefe89abcdef';
const layered = [
  '0123453445555555',
  '1013333333333333',
  '2124444444433333',
  '3345444444444444',
  '4344544444444444',
  '5344454444444444',
  '3344445444444444',
  '4344444544444444',
  '4344444454444444',
  '5344444445444444',
  '5344444444544444',
  '5334444444455444',
  '5334444444455544',
  '5334444444445554',
  '5334444444444555',
  '5334444444444455',
].join('');

const digits = (text: string): Uint8Array => Uint8Array.from(text, (digit) => Number.parseInt(digit, 16));

/** At `returns * 8 + number`. */
export const pointwiseReturnMap = digits(pointwise);
/** At `returns * 16 + number`. */
export const layeredReturnMap = digits(layered);
