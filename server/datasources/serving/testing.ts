import { gzipSync } from 'node:zlib';
import type { NewDatasource } from '@platen/contract/datasources';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import type { TestService } from '../../testing.ts';

/** A PMTiles archive of these tiles, which must come in Hilbert order. */
export function archiveOf(
  tiles: readonly [z: number, x: number, y: number, bytes: Uint8Array][],
  type: number = tileType.mvt,
  metadata: Record<string, unknown> = {},
): Buffer {
  const zooms = tiles.map(([z]) => z);
  const archive = buildArchiveInMemory(
    tiles.map(([z, x, y, bytes]) => ({ tileId: tileIdOf(z, x, y), bytes: gzipSync(bytes) })),
    {
      tileType: type,
      tileCompression: compression.gzip,
      metadata: {
        name: 'Places',
        vector_layers: [{ id: 'places', fields: { name: 'String' } }],
        ...metadata,
      },
      minZoom: Math.min(...zooms),
      maxZoom: Math.max(...zooms),
      bounds: [-10, -20, 30, 40],
      center: [10, 10, 1],
    },
    gzipSync,
  );
  return Buffer.from(archive.buffer, archive.byteOffset, archive.length);
}

interface FlatGeobufHeader {
  readonly epsg?: number;
  readonly nodeSize?: number;
  readonly hasZ?: boolean;
}

/** The start of a FlatGeobuf file, written field by field as FlatBuffers lays a table out. */
export function flatGeobufOf({ epsg = 4326, nodeSize = 16, hasZ = false }: FlatGeobufHeader = {}): Buffer {
  const header = Buffer.alloc(96);
  const [vtable, table, crsVtable, crs] = [8, 40, 64, 76];
  header.writeUInt32LE(table, 0);
  header.writeUInt16LE(4 + 11 * 2, vtable);
  header.writeUInt16LE(16, vtable + 2);
  header.writeInt32LE(table - vtable, table);
  header.writeUInt16LE(4, vtable + 4 + 3 * 2);
  header.writeUInt8(hasZ ? 1 : 0, table + 4);
  header.writeUInt16LE(6, vtable + 4 + 9 * 2);
  header.writeUInt16LE(nodeSize, table + 6);
  header.writeUInt16LE(8, vtable + 4 + 10 * 2);
  header.writeUInt32LE(crs - (table + 8), table + 8);
  header.writeUInt16LE(8, crsVtable);
  header.writeUInt16LE(8, crsVtable + 2);
  header.writeUInt16LE(4, crsVtable + 6);
  header.writeInt32LE(crs - crsVtable, crs);
  header.writeInt32LE(epsg, crs + 4);
  const start = Buffer.from([0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0, 0, 0, 0, 0]);
  start.writeUInt32LE(header.length, 8);
  return Buffer.concat([start, header]);
}

interface Tiff {
  readonly epsg?: number;
  readonly compression?: number;
  readonly samples?: number;
  readonly hasAlpha?: boolean;
  readonly isTiled?: boolean;
}

/** A TIFF of directories without pixels. */
export function tiffOf({
  epsg = 3857,
  compression = 5,
  samples = 4,
  hasAlpha = true,
  isTiled = true,
}: Tiff = {}): Buffer {
  const geoKeys = [1, 1, 0, 1, 3072, 0, 1, epsg];
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, 3, 1, 256],
    [257, 3, 1, 256],
    [259, 3, 1, compression],
    [277, 3, 1, samples],
    ...(isTiled
      ? ([
          [322, 3, 1, 256],
          [323, 3, 1, 256],
        ] as [number, number, number, number][])
      : []),
    ...(hasAlpha ? ([[338, 3, 1, 2]] as [number, number, number, number][]) : []),
    [34735, 3, geoKeys.length, 8],
  ];
  const directoryAt = 8 + geoKeys.length * 2;
  const file = Buffer.alloc(directoryAt + 2 + entries.length * 12 + 4);
  file.write('II', 0, 'latin1');
  file.writeUInt16LE(42, 2);
  file.writeUInt32LE(directoryAt, 4);
  for (const [i, key] of geoKeys.entries()) file.writeUInt16LE(key, 8 + i * 2);
  file.writeUInt16LE(entries.length, directoryAt);
  for (const [i, [name, type, count, value]] of entries.entries()) {
    const at = directoryAt + 2 + i * 12;
    file.writeUInt16LE(name, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(count, at + 4);
    file.writeUInt32LE(value, at + 8);
  }
  return file;
}

export interface BucketPath {
  readonly projectId: string;
  readonly dataBucketId: string;
}

/** Registers a file or folder of a bucket as a datasource; returns its id. */
export async function registerFile(
  { admin }: TestService,
  params: BucketPath,
  type: NewDatasource['type'],
  dataBucketKey: string,
): Promise<string> {
  const sourceProperties = { type: 'internal' as const, dataBucketId: params.dataBucketId, dataBucketKey };
  const { _id } = await admin.postProjectDatasource({
    params,
    body: { name: dataBucketKey, type, sourceProperties },
  });
  return _id;
}

export interface DataQuery {
  readonly token?: string | undefined;
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS';
  readonly headers?: Record<string, string>;
}

/** Asks for data as the super user unless a token, or nobody, is named. */
export function askFor(
  { app, adminToken }: TestService,
  path: string,
  { method = 'GET', headers = {}, ...who }: DataQuery = {},
) {
  const token = 'token' in who ? who.token : adminToken;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return app.inject({ method, url: path, headers: { ...authorization, ...headers } });
}
