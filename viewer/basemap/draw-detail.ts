// Regenerates world-detail.pmtiles: node viewer/basemap/draw-detail.ts <folder of Natural Earth>
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { worldMaxZoom } from '../world-module.ts';
import { detailTile } from './detail-tile.ts';
import { readWorldOutlines } from './world-outlines.ts';
import { readWorldWaters } from './world-waters.ts';

const world = { ...readWorldOutlines('10m'), ...readWorldWaters(process.argv[2]) };
const gzip = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 });
const z = worldMaxZoom;
const numbers = [...Array(2 ** z).keys()];
const tiles = numbers.flatMap((y) =>
  numbers.map((x) => ({ tileId: tileIdOf(z, x, y), bytes: gzip(detailTile(world, { z, x, y })) })),
);
const archive = buildArchiveInMemory(
  tiles.toSorted((one, other) => one.tileId - other.tileId),
  {
    tileType: tileType.mvt,
    tileCompression: compression.gzip,
    metadata: {
      name: 'World in detail',
      description:
        'Water, land, country borders and coasts at 1:10 million, rivers, lakes and ice at 1:50 million',
      attribution: '<a href="https://www.naturalearthdata.com/">Natural Earth</a>',
      type: 'baselayer',
      vector_layers: [{ id: 'world', fields: { kind: 'String' } }],
    },
    minZoom: z,
    maxZoom: z,
    bounds: [-180, -85.051129, 180, 85.051129],
    center: [10, 50, z],
  },
  gzip,
);
writeFileSync(new URL('world-detail.pmtiles', import.meta.url), archive);
