import type { Archive } from '@platen/geo/pmtiles/archive';
import { compression, tileType, type ArchiveHeader } from '@platen/geo/pmtiles/header';
import type { ServedDatasource } from './access.ts';
import type { ServedFile } from './file-headers.ts';
import type { Library } from './library.ts';
import { sendJson, sendNoTile, sendTile } from './reply.ts';
import type { Exchange } from './send-bytes.ts';

const address = /^(\d{1,2})\/(\d{1,9})\/(\d{1,9})\.(pbf|mvt|png|jpe?g|webp|avif)$/;

export const vectorType = 'application/vnd.mapbox-vector-tile';
/** Media types by the ending of a tile. */
export const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** Media types by the kind of tiles in an archive. */
export const contentTypes: Readonly<Record<number, string>> = {
  [tileType.mvt]: vectorType,
  [tileType.png]: 'image/png',
  [tileType.jpeg]: 'image/jpeg',
  [tileType.webp]: 'image/webp',
  [tileType.avif]: 'image/avif',
};

/** Is this the address of a tile? */
export function isTileAddress(rest: string): boolean {
  return address.test(rest);
}

/** The tile that `rest` names, `<z>/<x>/<y>.<extension>`, with rows from the north; in a TMS they count from the south. */
export function tileAddress(
  rest: string,
  type: ServedDatasource['type'],
): { z: number; x: number; y: number; isVector: boolean } | undefined {
  const match = address.exec(rest);
  if (!match) return undefined;
  const [z, x] = [Number(match[1]), Number(match[2])];
  const y = type === 'tms' ? 2 ** z - 1 - Number(match[3]) : Number(match[3]);
  return { z, x, y, isVector: match[4] === 'pbf' || match[4] === 'mvt' };
}

/**
 * Answers with the tile of an archive that `rest` names, `<z>/<x>/<y>.<extension>`; false where it names none.
 * The extension of an image does not matter: what the archive holds is what is sent.
 */
export async function sendArchiveTile(
  library: Library,
  { file, type, rest }: { file: ServedFile; type: ServedDatasource['type']; rest: string },
  exchange: Exchange,
): Promise<boolean> {
  const wanted = tileAddress(rest, type);
  if (!wanted) return false;
  const archive = await library.archive(file.blobId);
  const { header } = archive;
  if (wanted.isVector !== (header.tileType === tileType.mvt)) return false;
  const range = await archive.findTile(wanted.z, wanted.x, wanted.y);
  if (!range) return sendNoTile(exchange);
  const { offset, length } = range;
  return sendTile(
    {
      read: () => library.piece(file.blobId, offset, length),
      etag: `${file.etag.slice(1, 33)}-${offset.toString(36)}-${length.toString(36)}`,
      contentType: contentTypes[header.tileType] ?? 'application/octet-stream',
      isPacked: header.tileCompression === compression.gzip,
    },
    exchange,
  );
}

/** Answers with the TileJSON 3.0 of an archive; `base` is the absolute address of the datasource. */
export async function sendTileJson(
  library: Library,
  { file, base }: { file: ServedFile; base: string },
  exchange: Exchange,
): Promise<boolean> {
  return sendJson(await tileJsonOfArchive(await library.archive(file.blobId), base), exchange);
}

/** @throws ArchiveError */
export async function tileJsonOfArchive(archive: Archive, base: string): Promise<Record<string, unknown>> {
  const { header } = archive;
  const metadata = await archive.metadata();
  const kept = ['name', 'description', 'attribution', 'version', 'vector_layers', 'legend'] as const;
  return {
    tilejson: '3.0.0',
    ...Object.fromEntries(kept.filter((key) => key in metadata).map((key) => [key, metadata[key]])),
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
