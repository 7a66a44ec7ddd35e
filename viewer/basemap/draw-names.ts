// Regenerates world-names-en.pmtiles and world-names-de.pmtiles: node viewer/basemap/draw-names.ts
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { worldMaxZoom } from '../world-module.ts';
import { nameLanguages, nearNamesZoom as nearZoom } from '../world-names-layers.ts';
import { firstZooms } from './name-rooms.ts';
import { nameTile } from './name-tile.ts';
import { worldNames } from './world-names.ts';

const names = worldNames();
const zooms = firstZooms(names, nearZoom);
const placed = zooms.map((firstZoom, index) => ({ ...names[index]!, firstZoom }));
const gzip = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 });

for (const language of nameLanguages) {
  const tiles: { tileId: number; bytes: Uint8Array }[] = [];
  for (let z = 0; z <= worldMaxZoom; z++)
    for (let y = 0; y < 2 ** z; y++)
      for (let x = 0; x < 2 ** z; x++) {
        // includes empty tiles of the sea: browsers would log missing ones as errors
        const bytes = nameTile(placed, { z, x, y }, { language, maxZoom: worldMaxZoom });
        tiles.push({ tileId: tileIdOf(z, x, y), bytes: gzip(bytes) });
      }
  const archive = buildArchiveInMemory(
    tiles.toSorted((one, other) => one.tileId - other.tileId),
    {
      tileType: tileType.mvt,
      tileCompression: compression.gzip,
      metadata: {
        name: 'Names of the world',
        description: `Countries and towns, with room for each name, in the language ${language}`,
        attribution: '<a href="https://www.geonames.org/">GeoNames, CC BY 4.0</a>',
        type: 'overlay',
        vector_layers: [{ id: 'names', fields: { name: 'String', kind: 'String', near: 'Number' } }],
      },
      minZoom: 0,
      maxZoom: worldMaxZoom,
      bounds: [-180, -85.051129, 180, 85.051129],
      center: [10, 20, 2],
    },
    gzip,
  );
  writeFileSync(new URL(`world-names-${language}.pmtiles`, import.meta.url), archive);
}
const counts = [...Array(nearZoom + 1).keys()].map((z) => zooms.filter((zoom) => zoom <= z).length);
process.stdout.write(`Names at the zoom levels 0 to ${nearZoom}: ${counts.join(', ')}\n`);
