import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { writePng } from '@platen/formats/png/write-png';
import { encodeHeader, tileType } from '@platen/geo/pmtiles/header';
import { encodeDirectory, createDirectory } from '@platen/geo/pmtiles/directory';
import { codesOf, inspectFile, inspectFolder, survivesDamage, type Files } from '../testing-subject.ts';

/** One colour, as each tile of it is. */
const png = Buffer.from(writePng(new Uint8Array(64 * 64 * 4).fill(200), 64, 64));

/** A tile of one layer with one point. */
function vectorTile(extent = 4096): Buffer {
  const field = (number: number, content: Buffer) =>
    Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
  const geometry = field(4, Buffer.from([9, 128, 32, 128, 32]));
  const feature = field(2, Buffer.concat([Buffer.from([0x18, 1]), geometry]));
  const layer = Buffer.concat([
    field(1, Buffer.from('roads')),
    feature,
    Buffer.from([0x28, (extent & 127) | 128, extent >> 7]),
    Buffer.from([0x78, 2]),
  ]);
  return gzipSync(field(3, layer));
}

interface Written {
  readonly tile: Buffer;
  readonly type: number;
  readonly metadata?: object;
}

/** An archive with the tile 0/0/0 alone. */
function writePmtiles({ tile, type, metadata = {} }: Written): Buffer {
  const directory = createDirectory(1);
  directory.runLengths[0] = 1;
  directory.lengths[0] = tile.length;
  const root = gzipSync(encodeDirectory(directory));
  const json = gzipSync(JSON.stringify(metadata));
  const rootOffset = 127;
  const metadataOffset = rootOffset + root.length;
  const dataOffset = metadataOffset + json.length;
  const header = encodeHeader({
    rootOffset,
    rootLength: root.length,
    metadataOffset,
    metadataLength: json.length,
    leavesOffset: dataOffset,
    leavesLength: 0,
    dataOffset,
    dataLength: tile.length,
    addressedTiles: 1,
    tileEntries: 1,
    tileContents: 1,
    clustered: true,
    internalCompression: 2,
    tileCompression: type === tileType.mvt ? 2 : 1,
    tileType: type,
    minZoom: 0,
    maxZoom: 0,
    bounds: [-10, -20, 30, 40],
    center: [0, 0, 0],
  });
  return Buffer.concat([header, root, json, tile]);
}

const metadata = {
  name: 'Streets',
  vector_layers: [{ id: 'roads', minzoom: 0, maxzoom: 0, fields: { name: 'String', lanes: 'Number' } }],
  tilestats: { layers: [{ layer: 'roads', count: 7, geometry: 'LineString' }] },
};
const vectors = writePmtiles({ tile: vectorTile(), type: tileType.mvt, metadata });

test('the report of a PMTiles archive of vector tiles contains its layers with their attributes', async () => {
  const { format, formatVersion, kind, layers, uses, issues, thumbnail } = await inspectFile(
    'streets.pmtiles',
    vectors,
  );
  assert.deepEqual([format, formatVersion, kind, issues], ['pmtiles', '3', 'tiles', []]);
  const [layer] = layers;
  assert.deepEqual([layer!.name, layer!.featureCount, layer!.geometryTypes], ['roads', 7, ['LineString']]);
  assert.deepEqual(
    layer!.fields.map(({ name, type }) => `${name}: ${type}`),
    ['name: string', 'lanes: number'],
  );
  assert.deepEqual(layer!.bbox, [-10, -20, 30, 40]);
  assert.deepEqual([uses[0]!.kind, uses[0]!.type], ['datasource', 'vectortiles']);
  assert.match(thumbnail!, /^data:image\/webp/);
});

test('tiles of pictures are for another datasource, and are composed', async () => {
  const { layers, uses, thumbnail } = await inspectFile(
    'a.pmtiles',
    writePmtiles({ tile: png, type: tileType.png }),
  );
  assert.deepEqual(
    [layers[0]!.details!['tileKind'], layers[0]!.featureCount, uses[0]!.type],
    ['png', 1, 'wmts'],
  );
  assert.match(thumbnail!, /^data:image\/webp/);
});

test('the type is determined from the tiles, and an unsupported tile extent is reported', async () => {
  const lying = await inspectFile('a.pmtiles', writePmtiles({ tile: png, type: tileType.mvt }));
  assert.equal(lying.uses[0]!.type, 'wmts');
  const other = await inspectFile('b.pmtiles', writePmtiles({ tile: vectorTile(8192), type: tileType.mvt }));
  assert.deepEqual(codesOf(other), ['tileExtent']);
  assert.equal(other.layers[0]!.name, 'roads');
});

test('an older or truncated PMTiles archive is reported as such', async () => {
  const second = await inspectFile(
    'old.pmtiles',
    Buffer.concat([Buffer.from('PM\x02\0'), Buffer.alloc(600)]),
  );
  assert.deepEqual([second.formatVersion, codesOf(second)], ['2', ['oldVersion']]);
  const cut = await inspectFile('cut.pmtiles', vectors.subarray(0, vectors.length - 10));
  assert.match(cut.issues[0]!.message, /cut off/);
});

async function writeMbtiles(
  rows: Readonly<Record<string, string>>,
  tiles: readonly [number, number, number, Buffer][],
) {
  const folder = await mkdtemp(join(tmpdir(), 'mbtiles-'));
  const path = join(folder, 'a.mbtiles');
  try {
    const db = new DatabaseSync(path);
    db.exec('create table metadata (name text, value text)');
    db.exec('create table tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)');
    db.exec('create unique index tile_index on tiles (zoom_level, tile_column, tile_row)');
    for (const [name, value] of Object.entries(rows))
      db.prepare('insert into metadata values (?, ?)').run(name, value);
    for (const tile of tiles) db.prepare('insert into tiles values (?, ?, ?, ?)').run(...tile);
    db.close();
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const zooms = { minzoom: '0', maxzoom: '1', bounds: '-180,-85,180,85' };

test('MBTiles are recognised by their tiles, whatever the file is called', async () => {
  const rows = { ...zooms, name: 'Streets', format: 'pbf', json: JSON.stringify(metadata) };
  const file = await writeMbtiles(rows, [
    [0, 0, 0, vectorTile()],
    [1, 0, 0, vectorTile()],
  ]);
  const { format, layers, uses, issues } = await inspectFile('renamed.db', file);
  assert.deepEqual([format, issues, uses[0]!.type], ['mbtiles', [], 'vectortiles']);
  assert.deepEqual([layers[0]!.name, layers[0]!.featureCount, layers[0]!.isEstimated], ['roads', 7, true]);
  const pictures = await inspectFile('b.mbtiles', await writeMbtiles({ format: 'png' }, [[0, 0, 0, png]]));
  assert.deepEqual([pictures.uses[0]!.type, codesOf(pictures)], ['wmts', ['missingZooms', 'missingBounds']]);
});

const folder: Files = { '1/0/0.png': png, '1/0/1.png': png, '1/1/0.png': png, '0/0/0.png': png };

test('the report of a tile folder contains its position and the direction of its rows', async () => {
  const xyz = await inspectFolder({
    ...folder,
    'tiles.json': JSON.stringify({ scheme: 'xyz', minzoom: 0, maxzoom: 1 }),
  });
  assert.deepEqual([xyz.format, xyz.uses[0]!.type, codesOf(xyz)], ['tileFolder', 'wmts', []]);
  assert.deepEqual(xyz.layers[0]!.bbox!.map(Math.round), [-180, -85, 180, 85]);
  assert.equal(xyz.layers[0]!.featureCount, 4);
  const xml =
    '<TileMap version="1.0.0"><Title>Old map</Title><TileSets><TileSet order="0"/><TileSet order="1"/></TileSets></TileMap>';
  const tms = await inspectFolder({ '1/0/0.png': png, 'tilemapresource.xml': xml });
  assert.deepEqual([tms.format, tms.uses[0]!.type, tms.layers[0]!.name], ['tmsFolder', 'tms', 'Old map']);
  assert.deepEqual(tms.layers[0]!.bbox!.map(Math.round), [-180, -85, 0, 0]);
  assert.deepEqual(codesOf(await inspectFolder(folder)), ['unknownScheme']);
});

test('survives damage of a PMTiles archive', () =>
  survivesDamage({ 'a.pmtiles': vectors }, 'a.pmtiles', 'a.pmtiles'));

test('survives damage of MBTiles', async () => {
  const file = await writeMbtiles({ ...zooms, format: 'png' }, [[0, 0, 0, png]]);
  await survivesDamage({ 'a.mbtiles': file }, 'a.mbtiles', 'a.mbtiles');
});

test('survives damage of a tile in a folder, and of its description', async () => {
  await survivesDamage({ '0/0/0.pbf': vectorTile() }, '0/0/0.pbf', undefined);
  const json = Buffer.from(JSON.stringify({ scheme: 'xyz', minzoom: 0, maxzoom: 1, bounds: [1, 2, 3, 4] }));
  await survivesDamage({ ...folder, 'metadata.json': json }, 'metadata.json', undefined);
});
