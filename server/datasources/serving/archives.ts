import { inflateRawSync, constants } from 'node:zlib';
import type { Bytes } from '@platen/formats/bytes/bytes';
import { readMbtiles, type MbtilesFacts, type MbtilesReader } from '@platen/formats/mbtiles/open-mbtiles';
import { openZip, type ZipIndex } from '@platen/formats/zip/open-zip';
import type { LocatedMember } from '@platen/formats/zip/zip-member';
import type { OpenObjectCache } from '@platen/storage/open-object-cache';
import type { Context } from '../../base/context.ts';
import { contentTypeOf } from '../../files/objects/content-type.ts';
import { describeMbtiles, scanZipDirectory } from '../parsing/parse-file.ts';
import { briefCache } from './brief-cache.ts';
import { headersOf, isPackable, type Packing, type ServedFile } from './file-headers.ts';
import { heavyCache } from '../../base/heavy-cache.ts';
import { maxTileBytes } from '../parsing/unpack-tile.ts';

/** Cache size for each kind of archive, in bytes. */
const archiveBytes = 48 * 1024 * 1024;
const maxMembers = 20_000;
const mbtilesCacheBytes = 4 * 1024 * 1024;
/** Bytes of a packed member that suffice to recognise gzip inside. */
const firstBytes = 256;

type ServedMbtiles = MbtilesReader & MbtilesFacts;

/** Zip and MBTiles directories, cached by blob; a blob never changes. They are parsed in other processes. */
export interface Archives {
  mbtiles(file: ServedFile): Promise<ServedMbtiles>;
  zip(file: ServedFile): Promise<ZipIndex>;
  /**
   * Finds a member of a zip file; a single top-level folder is left out of its path. Gzipped content under a plain name is
   * recognised by its first bytes, as is that of a name ending with `.gz` if `type` is given.
   */
  member(file: ServedFile, path: string, type?: string): Promise<ServedFile | undefined>;
  /** The bytes of a whole blob; none if it no longer exists. */
  bytesOf(file: ServedFile): Bytes;
}

export function openArchives(context: Pick<Context, 'db' | 'parsers'>, objects: OpenObjectCache): Archives {
  const zips = heavyCache<ZipIndex>(archiveBytes, ({ memory }) => memory);
  const mbtiles = heavyCache<ServedMbtiles>(archiveBytes, () => mbtilesCacheBytes);
  const forever = { lifetimeMs: Infinity, mayHold: () => true };
  const members = briefCache<ServedFile | undefined>({ ...forever, limit: maxMembers });
  const bytesOf = ({ blobId, size }: ServedFile): Bytes => ({
    size,
    read: async (offset, length) =>
      (await objects.use(blobId, (object) => object.read(offset, length))) ?? new Uint8Array(0),
  });

  const zipOf = (file: ServedFile) =>
    zips.get(file.blobId, () => {
      const bytes = bytesOf(file);
      return openZip(bytes, { scan: (directory) => scanZipDirectory(context, file, { bytes, directory }) });
    });

  async function openMbtiles(file: ServedFile): Promise<ServedMbtiles> {
    const bytes = bytesOf(file);
    const { schema, format, minZoom, maxZoom, bounds } = await describeMbtiles(context, file, bytes);
    const limits = { cacheBytes: mbtilesCacheBytes, maxRowBytes: maxTileBytes };
    return { ...(await readMbtiles(bytes, { ...limits, schema })), format, minZoom, maxZoom, bounds };
  }

  async function findMember(
    file: ServedFile,
    path: string,
    type: string | undefined,
  ): Promise<ServedFile | undefined> {
    const zip = await zipOf(file);
    const member = await zip.find(zip.topFolder + path);
    return member && servedMember(file, member, { bytes: bytesOf(file), path, type });
  }

  return {
    mbtiles: (file) => mbtiles.get(file.blobId, () => openMbtiles(file)),
    zip: zipOf,
    bytesOf,
    member: (file, path, type) =>
      members.get(`${file.blobId} ${file.lastModified} ${type ?? ''} ${path}`, () =>
        findMember(file, path, type),
      ),
  };
}

async function servedMember(
  { bucketId, key, blobId, etag, modified }: ServedFile,
  member: LocatedMember,
  { bytes, path, type }: { bytes: Bytes; path: string; type: string | undefined },
): Promise<ServedFile> {
  const { dataOffset: offset, packedSize: size, crc32, size: unpackedSize } = member;
  const name = `${etag.slice(1, 33)}-${offset.toString(36)}-${crc32.toString(36)}`;
  const mayBeGzip = isPackable(path) || (type !== undefined && path.endsWith('.gz'));
  const packing = await packingOf(bytes, member, mayBeGzip);
  const headers = headersOf({ sha256: name, contentType: type ?? contentTypeOf(path), modified });
  const place = { bucketId, key: `${key}/${path}`, blobId, offset, size };
  return { ...place, modified, packing, crc32, unpackedSize, ...headers };
}

async function packingOf(
  bytes: Bytes,
  { packing, dataOffset, packedSize }: LocatedMember,
  mayBeGzip: boolean,
): Promise<Packing> {
  if (packing === 'zstd') return 'zstd';
  if (!mayBeGzip) return packing === 'stored' ? 'none' : 'deflate';
  const first = await bytes.read(dataOffset, Math.min(firstBytes, packedSize));
  if (packing === 'stored') return startsLikeGzip(first) ? 'gzip' : 'none';
  return startsLikeGzip(firstInflated(first)) ? 'gzipInDeflate' : 'deflate';
}

function firstInflated(first: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(first, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return new Uint8Array(0); // damaged: reading it reports the error
  }
}

export function startsLikeGzip(bytes: Uint8Array | undefined): boolean {
  return bytes?.[0] === 0x1f && bytes[1] === 0x8b;
}
