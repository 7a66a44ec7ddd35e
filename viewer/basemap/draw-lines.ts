// Regenerates world-lines.pmtiles: node viewer/basemap/draw-lines.ts <folder of Natural Earth>
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { worldMaxZoom } from '../world-module.ts';
import { countryLabels, placeLabels } from './labels.ts';
import { lineTile } from './line-tiles.ts';
import { readWorldOutlines } from './world-outlines.ts';
import { readWorldWaters } from './world-waters.ts';

/** Coarse outlines suffice while countries are a few pixels wide. */
const firstDetailedZoom = 2;

const waters = readWorldWaters(process.argv[2]);
const layerNames = ['land', 'rivers', 'lakes', 'borders', 'coasts', 'countries', 'places'];
const coarse = { ...readWorldOutlines('110m'), ...waters };
const detailed = { ...readWorldOutlines('50m'), ...waters };
const labels = { countries: countryLabels(), places: placeLabels() };
const gzip = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 });

const tiles: { tileId: number; bytes: Uint8Array }[] = [];
for (let z = 0; z <= worldMaxZoom; z++) {
  const world = z < firstDetailedZoom ? coarse : detailed;
  for (let y = 0; y < 2 ** z; y++) {
    for (let x = 0; x < 2 ** z; x++) {
      // includes empty tiles of the sea: browsers would log missing ones as errors
      tiles.push({ tileId: tileIdOf(z, x, y), bytes: gzip(lineTile({ world, ...labels }, z, x, y)) });
    }
  }
}
const archive = buildArchiveInMemory(
  tiles.toSorted((one, other) => one.tileId - other.tileId),
  {
    tileType: tileType.mvt,
    tileCompression: compression.gzip,
    metadata: {
      name: 'World',
      description: 'Land, rivers, lakes, coasts, country borders and names, for drawing in any colours',
      attribution:
        '<a href="https://www.naturalearthdata.com/">Natural Earth</a>, <a href="https://www.geonames.org/">GeoNames, CC BY 4.0</a>',
      type: 'baselayer',
      vector_layers: layerNames.map((id) => ({ id, fields: {} })),
    },
    minZoom: 0,
    maxZoom: worldMaxZoom,
    bounds: [-180, -85.051129, 180, 85.051129],
    center: [10, 20, 2],
  },
  gzip,
);
writeFileSync(new URL('world-lines.pmtiles', import.meta.url), archive);
