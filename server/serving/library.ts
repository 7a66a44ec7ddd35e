import { openArchive, type Archive } from '@platen/geo/pmtiles/archive';
import { keepOpen, type OpenObjects } from '@platen/storage/keep-open';
import type { Context } from '../context.ts';
import { hashSecret } from '../iam/tokens.ts';
import { findObject } from '../objects/store.ts';
import { decide, type Decision } from './access.ts';
import { briefCache } from './brief-cache.ts';
import { onForget } from './forget.ts';
import { headersOf, isPackable, type FileHeaders } from './file-headers.ts';
import { keepHot } from './hot-bytes.ts';
import { findStyle } from './style.ts';

/** So long an answer of the database may be used again; changes are told at once by notification. */
const lifetimeMs = 3_000;
const maxDecisions = 20_000;
const maxFiles = 100_000;
const maxArchives = 32;
const maxDirectoryEntries = 250_000;
const hotBytes = { limitBytes: 64 * 1024 * 1024, maxPieceBytes: 256 * 1024 };

/** A file as it is served. */
export interface ServedFile extends FileHeaders {
  readonly blobId: string;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /** The bytes are gzip although the name does not say so, as some tilers write them. */
  readonly isPacked: boolean;
}

/** What the hot path looks things up in: rights and rows for moments, open files and directories of archives for longer. */
export interface Library {
  readonly objects: OpenObjects;
  decide(datasourceId: string, secret: string | undefined): Promise<Decision>;
  file(bucketId: string, key: string): Promise<ServedFile | undefined>;
  archive(blobId: string): Promise<Archive>;
  /** What `properties.style` of a datasource says; asked seldom, so it is looked up each time. */
  style(datasourceId: string): Promise<unknown>;
  /** A small piece of a blob; undefined when the blob is no more. */
  piece(blobId: string, offset: number, length: number): Uint8Array | Promise<Uint8Array | undefined>;
  close(): void;
}

export function openLibrary(context: Context): Library {
  const { db, store, notifications, now } = context;
  const mayHold = () => notifications.isLive();
  // a refusal is not remembered: what has just been published must be there
  const isWorthHolding = ({ datasource }: Decision) => datasource !== undefined;
  const decisions = briefCache<Decision>({ lifetimeMs, limit: maxDecisions, mayHold, isWorthHolding });
  const files = briefCache<ServedFile | undefined>({ lifetimeMs, limit: maxFiles, mayHold });
  const archives = new Map<string, Promise<Archive>>();
  const objects = keepOpen(store);
  const hot = keepHot(hotBytes);

  const stopListening = notifications.on('accessChanged', (payload) => {
    if (!payload.startsWith('bucket:')) decisions.clear();
    files.clear();
  });
  onForget(notifications, () => files.clear());

  async function findFile(bucketId: string, key: string): Promise<ServedFile | undefined> {
    const object = await findObject(db, bucketId, key);
    if (!object) return undefined;
    const { blobId, size, sha256, contentType, updatedAt } = object;
    const isPacked = isPackable(key) && (await startsLikeGzip(blobId));
    const modified = new Date(updatedAt);
    return { blobId, size, modified, isPacked, ...headersOf({ sha256, contentType, modified }) };
  }

  async function readPiece(
    blobId: string,
    { key, offset, length }: { key: string; offset: number; length: number },
  ): Promise<Uint8Array | undefined> {
    const bytes = await objects.use(blobId, (object) => object.read(offset, length));
    if (bytes) hot.set(key, bytes);
    return bytes;
  }

  async function startsLikeGzip(blobId: string): Promise<boolean> {
    const start = await objects.use(blobId, (object) => object.read(0, 2));
    return start?.[0] === 0x1f && start[1] === 0x8b;
  }

  return {
    objects,
    // by the secret itself, for its moment in memory: hashing it each time would cost as much as finding the tile
    decide: (datasourceId, secret) =>
      decisions.get(`${datasourceId} ${secret ?? ''}`, () =>
        decide(db, datasourceId, secret === undefined ? undefined : hashSecret(secret), now()),
      ),
    file: (bucketId, key) => files.get(`${bucketId} ${key}`, () => findFile(bucketId, key)),
    style: (datasourceId) => findStyle(db, datasourceId),
    archive(blobId) {
      let archive = archives.get(blobId);
      archives.delete(blobId);
      archive ??= openArchive(
        async (offset, length) =>
          (await objects.use(blobId, (object) => object.read(offset, length))) ?? new Uint8Array(0),
        { cachedEntries: maxDirectoryEntries },
      );
      archives.set(blobId, archive);
      archive.catch(() => archives.delete(blobId));
      for (const oldest of archives.keys()) {
        if (archives.size <= maxArchives) break;
        archives.delete(oldest);
      }
      return archive;
    },
    piece(blobId, offset, length) {
      const key = `${blobId} ${offset} ${length}`;
      return hot.get(key) ?? readPiece(blobId, { key, offset, length });
    },
    close() {
      stopListening();
      objects.close();
    },
  };
}
