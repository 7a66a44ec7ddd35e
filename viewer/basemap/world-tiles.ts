import sharp from 'sharp';
import { tilePicture } from './tile-picture.ts';
import type { WorldLook } from '../world-colours.ts';
import { readWorldOutlines } from './world-outlines.ts';
import type { WorldWaters } from './world-waters.ts';

/** A tile of the base layer, as PNG. */
export interface WorldTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly png: Buffer;
}

/** Coarse outlines suffice while countries are a few pixels wide. */
const firstDetailedZoom = 3;

/** Few colours and their blends: a palette makes tiles smaller without visible loss. */
const paletteColours = 16;

/** Draws every tile of the zooms 0 to `maxZoom`, row by row. */
export async function* drawWorldTiles(
  maxZoom: number,
  look: WorldLook,
  waters: WorldWaters,
): AsyncGenerator<WorldTile> {
  const coarse = { ...readWorldOutlines('110m'), ...waters };
  const detailed = { ...readWorldOutlines('50m'), ...waters };
  for (let z = 0; z <= maxZoom; z++) {
    const world = z < firstDetailedZoom ? coarse : detailed;
    for (let y = 0; y < 2 ** z; y++) {
      for (let x = 0; x < 2 ** z; x++) {
        const svg = Buffer.from(tilePicture(world, { z, x, y }, look));
        const png = await sharp(svg)
          .png({ palette: true, colours: paletteColours, dither: 0, compressionLevel: 9, effort: 10 })
          .toBuffer();
        yield { z, x, y, png };
      }
    }
  }
}
