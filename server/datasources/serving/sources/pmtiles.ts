import type { Archive } from '@platen/geo/pmtiles/archive';
import { compression, tileType, type ArchiveHeader } from '@platen/geo/pmtiles/header';
import type { Json } from '../json.ts';
import { vectorType } from './tile-address.ts';
import type { TileArchive } from './tile-archive.ts';

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
    const range = await archive.findTile(z, x, y);
    if (!range) return { kind: 'noTile', mayAppear: false };
    const { offset, length } = range;
    return {
      kind: 'tile',
      read: () => cache.range(file.blobId, offset, length),
      etag: `${file.etag.slice(1, 33)}-${offset.toString(36)}-${length.toString(36)}`,
      contentType: contentTypes[header.tileType] ?? 'application/octet-stream',
      isPacked: header.tileCompression === compression.gzip,
    };
  },

  async describe(cache, file, base) {
    return tileJsonOfArchive(await cache.archive(file.blobId), base);
  },
};

/** Returns the TileJSON 3.0 of an archive. @throws ArchiveError */
export async function tileJsonOfArchive(archive: Archive, base: string): Promise<Json> {
  const { header } = archive;
  const metadata = await archive.metadata();
  const copied = ['name', 'description', 'attribution', 'version', 'vector_layers', 'legend'] as const;
  return {
    tilejson: '3.0.0',
    ...Object.fromEntries(copied.filter((key) => key in metadata).map((key) => [key, metadata[key]])),
    ...(header.tileType === tileType.mvt && { vector_layers: metadata['vector_layers'] ?? [] }),
    tiles: [`${base}/{z}/{x}/{y}.${extensionOf(header)}`],
    scheme: 'xyz',
    minzoom: header.minZoom,
    maxzoom: header.maxZoom,
    bounds: header.bounds,
    center: header.center,
  };
}

function extensionOf({ tileType: type }: ArchiveHeader): string {
  const extension = Object.entries(tileType).find(([, number]) => number === type)?.[0];
  return extension === 'mvt' || extension === undefined ? 'pbf' : extension;
}
