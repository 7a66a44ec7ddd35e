import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { requireImageCodec } from '../kit/images/image-codec.ts';
import type { PixelSamples } from '@platen/geo/raster/halve-pixels';
import { imageFormatOf } from '../kit/images/image-format.ts';
import { openSheetTests } from '../raster-source/testing.ts';
import { runTilesImagery } from './run.ts';

export const openImageryTests = () => openSheetTests(runTilesImagery);

/** The tiles of a finished archive. */
export async function openTiles(outputFolder: string) {
  const bytes = await readFile(join(outputFolder, 'tiles.pmtiles'));
  const archive = await openArchive(async (offset, length) => bytes.subarray(offset, offset + length));
  const codec = await requireImageCodec();
  const tileAt = async (z: number, x: number, y: number): Promise<Uint8Array | undefined> => {
    const range = await archive.findTile(z, x, y);
    return range && bytes.subarray(range.offset, range.offset + range.length);
  };
  /** Many colours of one tile are asked for. */
  const decoded = new Map<string, Promise<PixelSamples | Uint8ClampedArray | undefined>>();
  const samplesAt = async (z: number, x: number, y: number) => {
    const tile = await tileAt(z, x, y);
    return tile && (await codec.decode(tile, { bands: 4 })).samples;
  };
  return {
    bytes,
    archive,
    samplesAt,
    formatOf: async (z: number, x: number, y: number) => {
      const tile = await tileAt(z, x, y);
      return tile && imageFormatOf(tile);
    },
    /** Red, green, blue, alpha; undefined where there is no tile. */
    async colourAt(z: number, [lon, lat]: readonly [number, number]): Promise<number[] | undefined> {
      const across = ((lon + 180) / 360) * 2 ** z;
      const down = (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** z;
      const [x, y] = [Math.floor(across), Math.floor(down)];
      const key = `${z}/${x}/${y}`;
      if (!decoded.has(key)) decoded.set(key, samplesAt(z, x, y));
      const samples = await decoded.get(key);
      if (!samples) return undefined;
      const [column, row] = [Math.floor((across % 1) * 256), Math.floor((down % 1) * 256)];
      return [...samples.subarray((row * 256 + column) * 4, (row * 256 + column) * 4 + 4)];
    },
  };
}
