// Regenerates the pictures of the gallery of base maps: node viewer/basemap/draw-thumbnails.ts
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { openArchive } from '@platen/geo/pmtiles/archive';
import sharp from 'sharp';
import { worldFolders } from '../world-module.ts';
import { tileSizePixels } from './tile-picture.ts';

/** Europe, with seas, borders and mountains: four tiles of zoom 3, and the part of them that is shown. */
const zoom = 3;
const [firstX, firstY] = [3, 2];
const shown = { left: 176, top: 112, width: 272, height: 170 };
const webp = { quality: 82, effort: 6 };

const folder = new URL('../../web/base-maps/thumbnails/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [look, archiveName] of Object.entries(worldFolders)) {
  const bytes = readFileSync(new URL(`${archiveName}.pmtiles`, import.meta.url));
  const archive = await openArchive(async (offset, length) => bytes.subarray(offset, offset + length));
  const tiles = await Promise.all(
    [0, 1, 2, 3].map(async (i) => {
      const [x, y] = [i % 2, i >> 1];
      const { offset, length } = (await archive.findTile(zoom, firstX + x, firstY + y))!;
      const input = bytes.subarray(offset, offset + length);
      return { input, left: x * tileSizePixels, top: y * tileSizePixels };
    }),
  );
  const size = 2 * tileSizePixels;
  const whole = await sharp({ create: { width: size, height: size, channels: 3, background: '#fff' } })
    .composite(tiles)
    .png()
    .toBuffer();
  writeFileSync(new URL(`${look}.webp`, folder), await sharp(whole).extract(shown).webp(webp).toBuffer());
}
