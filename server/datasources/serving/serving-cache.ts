import { openArchive, type Archive } from '@platen/geo/pmtiles/archive';
import { createLeafCache } from '@platen/geo/pmtiles/leaf-cache';
import { createOpenObjectCache, type OpenObjectCache } from '@platen/storage/open-object-cache';
import { capabilityLifetimeMs, extendCapability } from '../../identity/capabilities/store.ts';
import type { Context } from '../../base/context.ts';
import { hashSecret } from '../../base/secrets/bearer-secrets.ts';
import { findObject, type ObjectFile } from '../../files/objects/store.ts';
import {
  findDatasourceRevision,
  findFileAsOf,
  type PinnedRevision,
} from '../../files/revisions/pinned-revision.ts';
import { visitUsed } from '../hooks.ts';
import { decide, decideByCapability, type CapabilityDecision, type AccessDecision } from './access.ts';
import { openArchives, startsLikeGzip, type Archives } from './archives.ts';
import { briefCache } from './brief-cache.ts';
import { findDescription, type DatasourceDescription } from './description.ts';
import { headersOf, isPackable, type ServedFile } from './file-headers.ts';
import { heavyCache } from './heavy-cache.ts';
import { hotBytesCache } from './hot-bytes.ts';
import { findStyle } from './find-style.ts';

/** So long an answer of the database may be used again; changes are told at once by notification. */
const lifetimeMs = 3_000;
const maxDecisions = 20_000;
const maxFiles = 100_000;
/** Of PMTiles archives with their root directories; the leaves of all of them together have 24 bytes an entry. */
const archiveBytes = 32 * 1024 * 1024;
const maxLeafEntries = 2_000_000;
const hotBytes = { limitBytes: 64 * 1024 * 1024, maxPieceBytes: 256 * 1024 };

interface ObjectPath {
  readonly bucketId: string;
  readonly key: string;
}

/** What the hot path looks things up in: rights and rows for moments, open files and directories of archives for longer. */
export interface ServingCache {
  readonly objects: OpenObjectCache;
  decide(datasourceId: string, secret: string | undefined): Promise<AccessDecision>;
  /** For what comes with a capability in its path; a use in the second half of its life puts its end off. */
  decideByCapability(datasourceId: string, secret: string): Promise<CapabilityDecision>;
  file(bucketId: string, key: string): Promise<ServedFile | undefined>;
  /** One revision of a datasource; undefined: it is no more, or never was. */
  revision(datasourceId: string, revision: number): Promise<PinnedRevision | undefined>;
  /** What a file held in a revision of a datasource. */
  fileOfRevision(datasourceId: string, revision: number, place: ObjectPath): Promise<ServedFile | undefined>;
  /** A PMTiles archive. */
  archive(blobId: string): Promise<Archive>;
  readonly archives: Archives;
  /** A tile of an MBTiles file; undefined: there is none. */
  mbtile(file: ServedFile, z: number, x: number, y: number): Uint8Array | Promise<Uint8Array | undefined>;
  /** What `properties.style` of a datasource says; asked seldom, so it is looked up each time. */
  style(datasourceId: string): Promise<unknown>;
  /** What it says of itself; asked as seldom. */
  description(datasourceId: string): Promise<DatasourceDescription | undefined>;
  /** A small piece of a blob; undefined when the blob is no more. */
  range(blobId: string, offset: number, length: number): Uint8Array | Promise<Uint8Array | undefined>;
  close(): void;
}

export function openServingCache(context: Context): ServingCache {
  const { db, store, notifications, now } = context;
  const mayHold = () => notifications.isLive();
  // a refusal is not remembered: what has just been published must be there
  const isWorthHolding = ({ datasource }: AccessDecision) => datasource !== undefined;
  const decisions = briefCache<AccessDecision>({ lifetimeMs, limit: maxDecisions, mayHold, isWorthHolding });
  const byCapability = briefCache<CapabilityDecision>({
    lifetimeMs,
    limit: maxDecisions,
    mayHold,
    // nor what is about to end by itself, of which no notification tells
    isWorthHolding: (decision) =>
      isWorthHolding(decision) &&
      (decision.ends === undefined || decision.ends.getTime() - now().getTime() > lifetimeMs),
  });
  // nor is absence: a file that has just been uploaded must be there
  const files = briefCache<ServedFile | undefined>({
    lifetimeMs,
    limit: maxFiles,
    mayHold,
    isWorthHolding: (file) => file !== undefined,
  });
  const revisions = briefCache<PinnedRevision | undefined>({ lifetimeMs, limit: maxDecisions, mayHold });
  const archives = heavyCache<Archive>(archiveBytes, ({ memory }) => memory);
  const leaves = createLeafCache(maxLeafEntries);
  const objects = createOpenObjectCache(store);
  const memberArchives = openArchives(objects);
  const hot = hotBytesCache(hotBytes);

  const forget = (isOfBucket: boolean) => {
    if (!isOfBucket) {
      decisions.clear();
      byCapability.clear();
    }
    files.clear();
    revisions.clear();
  };
  const stopListening = notifications.on('accessChanged', (payload) => forget(payload.startsWith('bucket:')));

  async function decideAndExtend(datasourceId: string, secret: string): Promise<CapabilityDecision> {
    const hash = hashSecret(secret);
    const decision = await decideByCapability(db, datasourceId, hash, now());
    const { expires, isVisit } = decision;
    if (expires && expires.getTime() - now().getTime() < capabilityLifetimeMs / 2) {
      if (isVisit) await visitUsed.announce(db, hash, now());
      else await extendCapability(db, hash, now());
    }
    return decision;
  }

  async function findFile(bucketId: string, key: string): Promise<ServedFile | undefined> {
    const object = await findObject(db, bucketId, key);
    return object && servedFrom(object);
  }

  /**
   * Of the revision that is served now, what the file holds now; but only if it still is the one once that was read: else
   * the next one could have come in between.
   */
  async function findFileOfRevision(
    datasourceId: string,
    revision: number,
    place: ObjectPath,
  ): Promise<ServedFile | undefined> {
    const now = await findFileAsOf(db, { ...place, at: undefined });
    const pinned = await findDatasourceRevision(db, datasourceId, revision);
    if (!pinned) return undefined;
    const object = pinned.until === undefined ? now : await findFileAsOf(db, { ...place, at: pinned.until });
    return object && servedFrom(object);
  }

  async function servedFrom(object: ObjectFile): Promise<ServedFile> {
    const { key, blobId, size, sha256, contentType, updatedAt } = object;
    const packing = isPackable(key) && (await isGzip(blobId)) ? 'gzip' : 'none';
    const modified = new Date(updatedAt);
    const whole = { blobId, offset: 0, size, unpackedSize: size, crc32: 0 };
    return { ...whole, modified, packing, ...headersOf({ sha256, contentType, modified }) };
  }

  async function readRange(
    blobId: string,
    { key, offset, length }: { key: string; offset: number; length: number },
  ): Promise<Uint8Array | undefined> {
    const bytes = await objects.use(blobId, (object) => object.read(offset, length));
    if (bytes) hot.set(key, bytes);
    return bytes;
  }

  async function isGzip(blobId: string): Promise<boolean> {
    return startsLikeGzip(await objects.use(blobId, (object) => object.read(0, 2)));
  }

  async function readMbtile(
    file: ServedFile,
    [z, x, y]: readonly [number, number, number],
    key: string,
  ): Promise<Uint8Array | undefined> {
    const tile = await (await memberArchives.mbtiles(file)).tile(z, x, y);
    if (tile) hot.set(key, tile);
    return tile;
  }

  return {
    objects,
    // by the secret itself, for its moment in memory: hashing it each time would cost as much as finding the tile
    decide: (datasourceId, secret) =>
      decisions.get(`${datasourceId} ${secret ?? ''}`, () =>
        decide(db, datasourceId, secret === undefined ? undefined : hashSecret(secret), now()),
      ),
    decideByCapability: (datasourceId, secret) =>
      byCapability.get(`${datasourceId} ${secret}`, () => decideAndExtend(datasourceId, secret)),
    file: (bucketId, key) => files.get(`${bucketId} ${key}`, () => findFile(bucketId, key)),
    revision: (datasourceId, revision) =>
      revisions.get(`${datasourceId} ${revision}`, () => findDatasourceRevision(db, datasourceId, revision)),
    fileOfRevision: (datasourceId, revision, place) =>
      files.get(`${datasourceId} ~${revision} ${place.bucketId} ${place.key}`, () =>
        findFileOfRevision(datasourceId, revision, place),
      ),
    style: (datasourceId) => findStyle(db, datasourceId),
    description: (datasourceId) => findDescription(db, datasourceId),
    archive: (blobId) =>
      archives.get(blobId, () =>
        openArchive(
          async (offset, length) =>
            (await objects.use(blobId, (object) => object.read(offset, length))) ?? new Uint8Array(0),
          { leaves },
        ),
      ),
    archives: memberArchives,
    mbtile(file, z, x, y) {
      const key = `${file.blobId}/${z}/${x}/${y}`;
      return hot.get(key) ?? readMbtile(file, [z, x, y], key);
    },
    range(blobId, offset, length) {
      const key = `${blobId} ${offset} ${length}`;
      return hot.get(key) ?? readRange(blobId, { key, offset, length });
    },
    close() {
      stopListening();
      objects.close();
    },
  };
}
