import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { encodeHeights } from '@platen/geo/terrain/encode-heights';
import {
  blockCounts,
  latitudeOfCell,
  type BlockPlace,
  type HeightGrid,
} from '@platen/geo/terrain/height-grid';
import { hillshade } from '@platen/geo/terrain/hillshade';
import { requireImageCodec, type ImageCodec } from '../../kit/images/image-codec.ts';
import type { RasterImage } from '../../kit/images/raster-image.ts';
import type { FinalCells } from '../pyramid/final-cells.ts';
import type { Settings } from '../settings.ts';
import type { MakeTile } from './made-tile.ts';

interface DrawnTile {
  readonly image: RasterImage;
  readonly encoding: Parameters<ImageCodec['encode']>[1];
}

/** Makes tiles of web mercator that are images. */
export function createImageTileMaker(cells: FinalCells, settings: Settings, grid: HeightGrid): MakeTile {
  let codec: Promise<ImageCodec> | undefined;
  const draw = settings.kind === 'hillshade' ? drawShade : drawHeights;
  return async ({ place }) => {
    codec ??= requireImageCodec();
    const { image, encoding } = draw(place, { cells, settings, grid });
    const bytes = await (await codec).encode(image, encoding);
    const { z, x, y } = place;
    return { z, tileId: tileIdOf(z, x, y), packed: { bytes, hashA: 0, hashB: 0 } };
  };
}

interface Drawing {
  readonly cells: FinalCells;
  readonly settings: Settings;
  readonly grid: HeightGrid;
}

function drawHeights(place: BlockPlace, { cells, settings, grid: { side } }: Drawing): DrawnTile {
  const heights = cells.blended(cells.filled(place, 0), place, 0, {
    blend: settings.blend,
    heightAt: () => 0,
  });
  const samples = encodeHeights(heights, settings.encoding);
  return {
    image: { width: side, height: side, bands: 3, samples },
    encoding: { format: 'webp', isLossless: true, effort: 2 },
  };
}

const equator = 2 * Math.PI * 6_378_137;
/** From this zoom on, slopes are shown as they are. Below, they are raised, as cells are so large that all of them are gentle. */
const trueZoom = 13;

function drawShade(place: BlockPlace, { cells, grid }: Drawing): DrawnTile {
  const { side } = grid;
  const { z, y } = place;
  const lat = latitudeOfCell(grid, z, y * side + side / 2);
  const metres = (equator / (blockCounts(grid, z)[0] * side)) * Math.cos((lat * Math.PI) / 180);
  const raise = 1.4 ** Math.max(0, trueZoom - z);
  const shades = hillshade(cells.filled(place, 1), { side, spacing: metres / raise });
  const samples = new Uint8Array(side * side * 2);
  for (let i = 0; i < shades.length; i++) {
    const shade = shades[i]!;
    if (shade !== shade) continue;
    samples[i * 2] = Math.round(shade * 255);
    samples[i * 2 + 1] = 255;
  }
  return {
    image: { width: side, height: side, bands: 2, samples },
    encoding: { format: 'webp', quality: 85, effort: 2 },
  };
}
