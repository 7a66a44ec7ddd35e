import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { encodeHeader } from '@platen/geo/pmtiles/header';
import { methods } from '@platen/formats/zip/member-fields';
import { zipOf } from '@platen/formats/zip/testing';
import type { DatasourceType } from '@platen/contract/datasource-types';
import { archiveOf } from './serving/testing.ts';

/** Data made to block or exhaust the service. */
interface HostileData {
  readonly type: DatasourceType;
  readonly key: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Paths below the address of the datasource. */
  readonly paths: readonly string[];
}

const mebibyte = 2 ** 20;

export const hostileData: Readonly<Record<string, () => HostileData>> = {
  'a table of 62 MB of commas': () =>
    mbtiles(`create table tiles (zoom_level, tile_column, tile_row, tile_data /*${','.repeat(62e6)}*/)`),
  '37,000 brackets in a statement': () =>
    mbtiles(
      `create table tiles (zoom_level, tile_column, tile_row, tile_data /*]*/, x default '${'['.repeat(37e3)}')`,
    ),
  'metadata of 6 MB of empty objects': () =>
    mbtiles(
      `${tilesTable} insert into metadata values ('json', '{"a":[' || replace(hex(zeroblob(2000000)), '00', '{},') || '{}]}')`,
    ),
  'keys of an index of 2 MB each': () =>
    mbtiles(
      `${tilesTable} insert into tiles select 0, 0, printf('%.*c', 2000000, 'x') || value, x'00' from json_each('[1,2,3,4,5,6]')`,
    ),
  'a tile of 20 MB': () => mbtiles(`${tilesTable} insert into tiles values (0, 0, 0, zeroblob(20000000))`),
  '16 kB that unpack to 16 MB of empty objects, as metadata': () => metadata(gzipSync(objects(5_600_000))),
  'a million brackets': () => metadata(Buffer.from(`{"vector_layers":${nested(500_000)}}`)),
  'a deep document': () => metadata(Buffer.from(`${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}`)),
  'a scene layer of 5 kB that unpacks to 5 MB': () => ({
    type: 'i3s',
    key: 'hostile/',
    files: { 'hostile/3dSceneLayer.json.gz': gzipSync(objects(1_600_000)) },
    paths: ['SceneServer', 'SceneServer/layers/0'],
  }),
  'a version of a million digits': () => ({
    type: 'oblique',
    key: 'hostile/image.json',
    files: { 'hostile/image.json': Buffer.from(`{"version":"${'1'.repeat(1e6)}"}`) },
    paths: ['image.json'],
  }),
  'a tileset of 3 MB of empty objects': () => ({
    type: 'tileset',
    key: 'hostile/tileset.json',
    files: { 'hostile/tileset.json': objects(1_000_000) },
    paths: [],
  }),
  'a zip file of 100,000 members': () => zip(100_000),
  'a zip file whose members claim a size of petabytes': () => zip(1000, { size: 2 ** 45 }),
  'a PMTiles directory of half a million entries': () => ({
    type: 'vectortiles',
    key: 'hostile.pmtiles',
    files: { 'hostile.pmtiles': pmtilesBomb() },
    paths: ['0/0/0.pbf', '5/3/3.pbf', 'tiles.json'],
  }),
  'PMTiles metadata of a million brackets': () => ({
    type: 'vectortiles',
    key: 'hostile.pmtiles',
    files: { 'hostile.pmtiles': pmtilesWith(Buffer.from(`{"vector_layers":${nested(500_000)}}`)) },
    paths: ['tiles.json'],
  }),
};

/** Responses of a server that wants to block the service. */
export const hostileResponses: Readonly<Record<string, () => string>> = {
  '2 MB of <': () => '<'.repeat(2 * mebibyte),
  'an element of 1 MB of letters': () => `<a ${'b'.repeat(mebibyte)}`,
  'elements nested 300,000 deep': () => '<Layer>'.repeat(300_000),
  'layers nested 50,000 deep': () => `<WMS_Capabilities><Capability>${'<Layer>'.repeat(50_000)}`,
  '80,000 attributes': () => `<a ${'b="" '.repeat(80_000)}>`,
  '2 MB of empty objects': () => `{"a":[${'{},'.repeat(690_000)}{}]}`,
  'a million brackets': () => `{"a":${nested(1_000_000)}}`,
};

const tilesTable = `create table tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
  create index i on tiles (zoom_level, tile_column, tile_row);
  create table metadata (name text, value text);`;

const objects = (count: number) =>
  Buffer.from(`{"asset":{"version":"1.1"},"root":{},"a":[${'{},'.repeat(count)}{}]}`);
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

function mbtiles(sql: string): HostileData {
  const folder = mkdtempSync(join(tmpdir(), 'platen-hostile-'));
  const path = join(folder, 'made');
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  const file = readFileSync(path);
  rmSync(folder, { recursive: true });
  return {
    type: 'vectortiles',
    key: 'hostile.mbtiles',
    files: { 'hostile.mbtiles': file },
    paths: ['0/0/0.pbf', 'tiles.json'],
  };
}

const metadata = (bytes: Uint8Array): HostileData => ({
  type: 'vectortiles',
  key: 'hostile/',
  files: { 'hostile/metadata.json': bytes, 'hostile/0/0/0.pbf': Buffer.from('tile') },
  paths: ['tiles.json', '0/0/0.pbf'],
});

function zip(count: number, says: { size?: number } = {}): HostileData {
  const members = Array.from({ length: count }, (_, i) => ({
    name: `a/${i}${'n'.repeat(60)}`,
    content: '',
    says,
  }));
  const entry = { name: 'a/tileset.json', content: objects(1000), method: methods.deflate };
  const { bytes } = zipOf([...members, entry], { isLarge: says.size !== undefined });
  return {
    type: 'tileset',
    key: 'hostile.zip',
    files: { 'hostile.zip': bytes },
    paths: ['tileset.json', `${count - 1}${'n'.repeat(60)}`, 'none.json'],
  };
}

/** A root directory of 2 MiB unpacked, each of whose entries points to such a directory again. */
function pmtilesBomb(): Buffer {
  const entries = mebibyte / 2 - 1;
  const plain = Buffer.alloc(2 * mebibyte, 1);
  plain.set([0xff, 0xff, 0x1f]); // the count
  plain.fill(0, 3 + entries, 3 + 2 * entries); // run lengths: all are leaves
  const packed = gzipSync(plain);
  const archive = Buffer.alloc(127 + packed.length);
  const places = {
    rootOffset: 127,
    rootLength: packed.length,
    leavesOffset: 127,
    leavesLength: packed.length,
  };
  archive.set(encodeHeader({ ...emptyHeader, ...places }));
  archive.set(packed, 127);
  return archive;
}

const emptyHeader = {
  metadataOffset: 0,
  metadataLength: 0,
  dataOffset: 0,
  dataLength: 1000,
  addressedTiles: 1,
  tileEntries: 1,
  tileContents: 1,
  clustered: true,
  internalCompression: 2,
  tileCompression: 2,
  tileType: 1,
  minZoom: 0,
  maxZoom: 9,
  bounds: [-180, -85, 180, 85],
  center: [0, 0, 0],
} as const;

function pmtilesWith(json: Buffer): Buffer {
  const archive = archiveOf([[0, 0, 0, Buffer.from('tile')]]);
  const packed = gzipSync(json);
  archive.writeBigUInt64LE(BigInt(archive.length), 8 + 2 * 8);
  archive.writeBigUInt64LE(BigInt(packed.length), 8 + 3 * 8);
  return Buffer.concat([archive, packed]);
}
