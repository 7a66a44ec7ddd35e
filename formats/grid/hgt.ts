import type { Bytes } from '../bytes/bytes.ts';

/** An elevation tile of SRTM: heights in whole metres above EGM96, one degree square. */
export interface HgtTile {
  /** Heights on a side: its edges are those of the neighbours, too. */
  readonly side: number;
  /** The south-western corner by the name of the file; undefined for other names. */
  readonly corner: readonly [longitude: number, latitude: number] | undefined;
}

export const hgtNoData = -32_768;
const sides = [3601, 1801, 1201];

/** A .hgt contains only heights: it is recognised by its size and its name. undefined for other files. */
export function recogniseHgt(name: string, size: number): HgtTile | undefined {
  if (!/\.hgt$/i.test(name)) return undefined;
  const side = sides.find((one) => one * one * 2 === size);
  if (side === undefined) return undefined;
  const [, ns, lat, ew, lon] =
    /([ns])(\d{2})([ew])(\d{3})/i.exec(name.slice(name.lastIndexOf('/') + 1)) ?? [];
  const latitude = Number(lat) * (ns?.toLowerCase() === 's' ? -1 : 1);
  const longitude = Number(lon) * (ew?.toLowerCase() === 'w' ? -1 : 1);
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return { side, corner: isOnEarth ? [longitude, latitude] : undefined };
}

/** Every `step`-th height of every `step`-th row, from the north-west. */
export async function sampleHgt(bytes: Bytes, side: number, step: number): Promise<Float64Array> {
  const count = Math.ceil(side / step);
  const values = new Float64Array(count * count).fill(NaN);
  for (let row = 0; row < count; row++) {
    const line = await bytes.read(row * step * side * 2, side * 2);
    const view = new DataView(line.buffer, line.byteOffset, line.byteLength);
    for (let i = 0; i < count && i * step * 2 + 1 < line.length; i++)
      values[row * count + i] = view.getInt16(i * step * 2);
  }
  return values;
}
