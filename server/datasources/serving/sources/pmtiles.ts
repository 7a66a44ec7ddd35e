import type { TileRange } from '@platen/geo/pmtiles/read-archive';
import { compression, tileType, type ArchiveHeader } from '@platen/geo/pmtiles/header';
import type { ServedFile } from '../file-headers.ts';
import type { Reply } from '../reply.ts';
import type { ServingCache } from '../serving-cache.ts';
import { chunkBytes } from '../send-bytes.ts';
import { vectorType } from './tile-address.ts';
import type { TileArchive } from './tile-archive.ts';
import { tilesAt } from './tile-json.ts';

/** Media types by the kind of tiles in an archive. */
export const contentTypes: Readonly<Record<number, string>> = {
  [tileType.mvt]: vectorType,
  [tileType.png]: 'image/png',
  [tileType.jpeg]: 'image/jpeg',
  [tileType.webp]: 'image/webp',
  [tileType.avif]: 'image/avif',
};

/** PMTiles. The extension in the address of an image does not matter: the stored format is sent. */
export const pmtiles: TileArchive = {
  async findTile(cache, file, { z, x, y, isVector }) {
    const archive = await cache.archive(file.blobId);
    const { header } = archive;
    if (isVector !== (header.tileType === tileType.mvt)) return undefined;
    const contentType = contentTypes[header.tileType] ?? 'application/octet-stream';
    const tile = await findArchiveTile(cache, file, { place: [z, x, y], contentType });
    return tile ?? { kind: 'noTile', mayAppear: false };
  },

  async describe(cache, file, base) {
    const { header } = await cache.archive(file.blobId);
    return tilesAt(base, extensionOf(header), await cache.tileJson(file, 'pmtiles'));
  },
};

/** A tile of an archive, whatever it holds; undefined where it has none. */
export async function findArchiveTile(
  cache: ServingCache,
  file: ServedFile,
  {
    place: [z, x, y],
    contentType,
  }: { readonly place: readonly [z: number, x: number, y: number]; readonly contentType: string },
): Promise<Reply | undefined> {
  const archive = await cache.archive(file.blobId);
  const range = await archive.findTile(z, x, y);
  if (!range) return undefined;
  const { offset, length } = range;
  const etag = `${file.etag.slice(1, 33)}-${offset.toString(36)}-${length.toString(36)}`;
  const isPacked = archive.header.tileCompression === compression.gzip;
  // like any other part of a file, so that not all of it is in memory at once
  if (length > chunkBytes)
    return { kind: 'file', file: { ...file, ...partOf(range, { etag, contentType, isPacked }) } };
  return {
    kind: 'tile',
    read: () => cache.range(file.blobId, offset, length),
    etag,
    contentType,
    isPacked,
  };
}

function partOf(
  { offset, length }: TileRange,
  { etag, contentType, isPacked }: { etag: string; contentType: string; isPacked: boolean },
): Partial<ServedFile> {
  return {
    offset,
    size: length,
    packing: isPacked ? 'gzip' : 'none',
    etag: `"${etag}"`,
    etagUnpacked: `"${etag}-u"`,
    contentType,
    isAttachment: false,
  };
}

function extensionOf({ tileType: type }: ArchiveHeader): string {
  const extension = Object.entries(tileType).find(([, number]) => number === type)?.[0];
  return extension === 'mvt' || extension === undefined ? 'pbf' : extension;
}
