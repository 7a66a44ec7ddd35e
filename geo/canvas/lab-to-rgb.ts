/** White of D50, to which CIELab of image programs refers. */
const white = [0.964_22, 1, 0.825_21] as const;
/** From XYZ for D50 to linear sRGB, whose white is D65 (Bradford). */
const toLinear = [
  [3.133_856_1, -1.616_866_7, -0.490_614_6],
  [-0.978_768_4, 1.916_141_5, 0.033_454],
  [0.071_945_3, -0.228_991_4, 1.405_242_7],
] as const;

/**
 * sRGB of 8 bits from CIELab for D50 (CIE 15, IEC 61966-2-1); colours that sRGB lacks become its nearest.
 * @param l from 0 to 100
 */
export function labToRgb(l: number, a: number, b: number): [red: number, green: number, blue: number] {
  const y = (l + 16) / 116;
  const xyz = [y + a / 500, y, y - b / 200].map((value, i) => cubed(value) * white[i]!);
  return toLinear.map((shares) =>
    encoded(shares[0] * xyz[0]! + shares[1] * xyz[1]! + shares[2] * xyz[2]!),
  ) as [number, number, number];
}

function cubed(value: number): number {
  return value > 6 / 29 ? value ** 3 : 3 * (6 / 29) ** 2 * (value - 4 / 29);
}

function encoded(linear: number): number {
  const share = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (share <= 0.003_130_8 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055));
}
