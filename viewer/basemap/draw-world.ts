// Draws world.pmtiles anew: node viewer/basemap/draw-world.ts
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { compression, encodeHeader, tileType } from '@platen/geo/pmtiles/header';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { createArchiveWriter, type ScratchLog } from '@platen/geo/pmtiles/writer';
import { worldMaxZoom } from '../world-module.ts';
import { drawWorldTiles } from './world-tiles.ts';

function openMemoryLog(): ScratchLog {
  const parts: Uint8Array[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(bytes) {
      parts.push(bytes.slice());
      length += bytes.length;
    },
    parts: () => parts,
    remove: () => void parts.splice(0),
  };
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const isPng = (bytes: Uint8Array) => pngSignature.equals(bytes.subarray(0, pngSignature.length));

const tiles = (await Array.fromAsync(drawWorldTiles(worldMaxZoom))).toSorted(
  (one, other) => tileIdOf(one.z, one.x, one.y) - tileIdOf(other.z, other.x, other.y),
);

// The writer packs whatever it stores; pictures are packed already and stay as they are.
const writer = createArchiveWriter({
  openScratch: openMemoryLog,
  gzip: (bytes) => (isPng(bytes) ? bytes : gzipSync(bytes, { level: 9 })),
});
for (const { z, x, y, png } of tiles) writer.addTile(z, x, y, png);

const written: { offset: number; bytes: Uint8Array }[] = [];
const header = await writer.finish(
  {
    tileType: tileType.png,
    metadata: {
      name: 'World',
      description: 'Land, coasts and country borders at 1:110 million and 1:50 million',
      attribution: '<a href="https://www.naturalearthdata.com/">Natural Earth</a>',
      type: 'baselayer',
    },
    minZoom: 0,
    maxZoom: worldMaxZoom,
    bounds: [-180, -85.051129, 180, 85.051129],
    center: [10, 20, 2],
  },
  (offset, bytes) => void written.push({ offset, bytes: bytes.slice() }),
);
written.push({ offset: 0, bytes: encodeHeader({ ...header, tileCompression: compression.none }) });

const archive = new Uint8Array(Math.max(...written.map(({ offset, bytes }) => offset + bytes.length)));
for (const { offset, bytes } of written) archive.set(bytes, offset);
writeFileSync(new URL('world.pmtiles', import.meta.url), archive);
