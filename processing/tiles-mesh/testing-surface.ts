import sharp from 'sharp';

/** A hilly surface of a square, `side` metres wide, as a grid of `cells` × `cells` quads. */
export interface SampleSurface {
  readonly side: number;
  readonly cells: number;
}

/** Metres above the origin. */
export const heightAt = ({ side }: SampleSurface, x: number, y: number): number =>
  (side / 20) * Math.sin((x / side) * 7) * Math.cos((y / side) * 5) +
  (side / 200) * Math.sin(x * y * (40 / side ** 2));

/**
 * A part of it as an OBJ, from one corner to another in shares of its side, with image coordinates over all of it.
 * Parts that meet have equal vertices.
 */
export function objOfSurface(
  surface: SampleSurface,
  [west, south, east, north]: readonly [number, number, number, number] = [0, 0, 1, 1],
  head = 'mtllib photo.mtl\nusemtl photo',
): string {
  const { side, cells } = surface;
  const [x0, y0, x1, y1] = [west, south, east, north].map((share) => Math.round(share * cells)) as [
    number,
    number,
    number,
    number,
  ];
  const lines = [head];
  for (let y = y0; y <= y1; y++)
    for (let x = x0; x <= x1; x++) {
      const [metresX, metresY] = [(x / cells) * side, (y / cells) * side];
      lines.push(
        `v ${metresX} ${metresY} ${heightAt(surface, metresX, metresY)}`,
        `vt ${x / cells} ${y / cells}`,
      );
    }
  const across = x1 - x0 + 1;
  for (let y = 0; y < y1 - y0; y++)
    for (let x = 0; x < across - 1; x++) {
      const [a, b] = [y * across + x + 1, (y + 1) * across + x + 1];
      lines.push(
        `f ${a}/${a} ${a + 1}/${a + 1} ${b + 1}/${b + 1}`,
        `f ${a}/${a} ${b + 1}/${b + 1} ${b}/${b}`,
      );
    }
  return `${lines.join('\n')}\n`;
}

export const library = 'newmtl photo\nmap_Kd photo.png\n';

/** A picture in which red grows to the east, and green to the north. */
export function gradient(side: number): Promise<Buffer> {
  const pixels = Buffer.alloc(side * side * 3);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      pixels.set([Math.round((x / side) * 255), Math.round((1 - y / side) * 255), 60], (y * side + x) * 3);
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}
