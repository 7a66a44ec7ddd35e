// Regenerates world.pmtiles, world-grey.pmtiles and world-dark.pmtiles: node viewer/basemap/draw-world.ts <folder of Natural Earth>
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { worldMaxZoom } from '../world-module.ts';
import { readWorldWaters } from './world-waters.ts';
import { drawWorldTiles } from './world-tiles.ts';

const waters = readWorldWaters(process.argv[2]);
for (const look of ['light', 'grey', 'dark'] as const) {
  const tiles = (await Array.fromAsync(drawWorldTiles(worldMaxZoom, look, waters)))
    .map(({ z, x, y, png }) => ({ tileId: tileIdOf(z, x, y), bytes: png }))
    .toSorted((one, other) => one.tileId - other.tileId);
  const archive = buildArchiveInMemory(
    tiles,
    {
      tileType: tileType.png,
      tileCompression: compression.none, // PNG is compressed already
      metadata: {
        name: 'World',
        description: 'Land, rivers, lakes, coasts and country borders at 1:110 million and 1:50 million',
        attribution: '<a href="https://www.naturalearthdata.com/">Natural Earth</a>',
        type: 'baselayer',
      },
      minZoom: 0,
      maxZoom: worldMaxZoom,
      bounds: [-180, -85.051129, 180, 85.051129],
      center: [10, 20, 2],
    },
    (bytes) => gzipSync(bytes, { level: 9 }),
  );
  const file = look === 'light' ? 'world.pmtiles' : `world-${look}.pmtiles`;
  writeFileSync(new URL(file, import.meta.url), archive);
}
