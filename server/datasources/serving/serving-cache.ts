import { touchScriptToken } from '../../identity/iam/last-seen.ts';
import { openArchive } from '@platen/geo/pmtiles/archive';
import type { Archive } from '@platen/geo/pmtiles/read-archive';
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
import {
  describeMbtiles,
  describePmtiles,
  makeDocument,
  requireDocumentSize,
  textOf,
} from '../parsing/parse-file.ts';
import { namesOf, type NameQuery } from './names-of-file.ts';
import { decide, decideByCapability, type CapabilityDecision, type AccessDecision } from './access.ts';
import { openArchives, startsLikeGzip, type Archives } from './archives.ts';
import { briefCache } from './brief-cache.ts';
import { findDescription, type DatasourceDescription } from './description.ts';
import { headersOf, isPackable, type ServedFile } from './file-headers.ts';
import { heavyCache } from '../../base/heavy-cache.ts';
import { hotBytesCache } from './hot-bytes.ts';
import { findStyle } from './find-style.ts';

/** How long a database answer is reused; notifications of changes discard it at once. */
const lifetimeMs = 3_000;
const maxDecisions = 20_000;
const maxFiles = 100_000;
/** Memory for PMTiles headers and root directories; leaf directories are cached separately, 24 bytes an entry. */
const archiveBytes = 32 * 1024 * 1024;
const maxLeafEntries = 2_000_000;
const hotBytes = { limitBytes: 64 * 1024 * 1024, maxRangeBytes: 256 * 1024 };

interface ObjectPath {
  readonly bucketId: string;
  readonly key: string;
}

/** Caches of the hot path: access decisions and rows for seconds, open files and archive directories for longer. */
export interface ServingCache {
  readonly objects: OpenObjectCache;
  decide(datasourceId: string, secret: string | undefined): Promise<AccessDecision>;
  /** Decides for a capability in a path; a use in the second half of its lifetime extends it. */
  decideByCapability(datasourceId: string, secret: string): Promise<CapabilityDecision>;
  file(bucketId: string, key: string): Promise<ServedFile | undefined>;
  /** Finds a revision of a datasource; undefined if it is not kept. */
  revision(datasourceId: string, revision: number): Promise<PinnedRevision | undefined>;
  /** Finds the content that a file had in a revision of a datasource. */
  fileOfRevision(datasourceId: string, revision: number, place: ObjectPath): Promise<ServedFile | undefined>;
  /** Opens a PMTiles archive. */
  archive(blobId: string): Promise<Archive>;
  readonly archives: Archives;
  /** Makes a document of a small file; undefined if its bytes no longer exist. @throws Failure `unprocessable` */
  document(file: ServedFile, kind: 'folderMetadata' | 'sceneLayer'): Promise<Uint8Array | undefined>;
  /** Returns the TileJSON of an archive without addresses. @throws Failure, ArchiveError, BytesError */
  tileJson(file: ServedFile, kind: 'pmtiles' | 'mbtiles'): Promise<Uint8Array>;
  /** Returns the layer.json of terrain in an archive without addresses. @throws Failure, ArchiveError, BytesError */
  layerJson(file: ServedFile): Promise<Uint8Array>;
  /** Lists the names of features by the values of an attribute. @throws Failure */
  names(file: ServedFile, query: NameQuery): Promise<Uint8Array>;
  /** Reads a tile of an MBTiles file; undefined if it has none there. */
  mbtile(file: ServedFile, z: number, x: number, y: number): Uint8Array | Promise<Uint8Array | undefined>;
  /** Reads `properties.style` of a datasource; requests are rare, so it is not cached. */
  style(datasourceId: string): Promise<unknown>;
  /** Reads the description of a datasource; not cached either. */
  description(datasourceId: string): Promise<DatasourceDescription | undefined>;
  /** Reads a small range of a blob; undefined if the blob no longer exists. */
  range(blobId: string, offset: number, length: number): Uint8Array | Promise<Uint8Array | undefined>;
  close(): void;
}

export function openServingCache(context: Context): ServingCache {
  const { db, store, notifications, settings, now } = context;
  const mayHold = () => notifications.isLive();
  // refusals are not cached: newly published data must be readable at once
  const isWorthHolding = ({ datasource }: AccessDecision) => datasource !== undefined;
  const decisions = briefCache<AccessDecision>({ lifetimeMs, limit: maxDecisions, mayHold, isWorthHolding });
  const byCapability = briefCache<CapabilityDecision>({
    lifetimeMs,
    limit: maxDecisions,
    mayHold,
    // nor capabilities that expire soon, which no notification announces
    isWorthHolding: (decision) =>
      isWorthHolding(decision) &&
      (decision.ends === undefined || decision.ends.getTime() - now().getTime() > lifetimeMs),
  });
  // nor missing files: a newly uploaded file must be readable at once
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
  const memberArchives = openArchives(context, objects);
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

  async function decideAndTouch(datasourceId: string, secret: string | undefined): Promise<AccessDecision> {
    const hash = secret === undefined ? undefined : hashSecret(secret);
    const decision = await decide(db, datasourceId, hash, now());
    if (hash && decision.datasource) await touchScriptToken(db, hash, now());
    return decision;
  }

  async function decideAndExtend(datasourceId: string, secret: string): Promise<CapabilityDecision> {
    const hash = hashSecret(secret);
    const decision = await decideByCapability(db, datasourceId, hash, now());
    const { expires, isVisit } = decision;
    if (expires && expires.getTime() - now().getTime() < capabilityLifetimeMs / 2) {
      if (isVisit) await visitUsed.announce(db, hash, now());
      else await extendCapability(db, hash, { now: now(), idleMs: settings.sessionIdleMs });
    }
    return decision;
  }

  async function findFile(bucketId: string, key: string): Promise<ServedFile | undefined> {
    const object = await findObject(db, bucketId, key);
    return object && servedFrom(object);
  }

  /**
   * Reads the current file before the revision: if the revision is still the current one afterwards, the file belongs to
   * it, otherwise the file could be of the next one.
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
    const { dataBucketId: bucketId, key, blobId, size, sha256, contentType, updatedAt } = object;
    const packing = isPackable(key) && (await isGzip(blobId)) ? 'gzip' : 'none';
    const modified = new Date(updatedAt);
    const whole = { bucketId, key, blobId, offset: 0, size, unpackedSize: size, crc32: 0 };
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

  async function findDocument(
    file: ServedFile,
    kind: 'folderMetadata' | 'sceneLayer',
  ): Promise<Uint8Array | undefined> {
    requireDocumentSize(file);
    const { blobId, offset, size, packing } = file;
    const bytes = await range(blobId, offset, size);
    return bytes && makeDocument(context, { ...file, kind }, { bytes, packing });
  }

  const range: ServingCache['range'] = (blobId, offset, length) => {
    const key = `${blobId} ${offset} ${length}`;
    return hot.get(key) ?? readRange(blobId, { key, offset, length });
  };

  return {
    objects,
    document: findDocument,
    async tileJson(file, kind) {
      const describe = kind === 'pmtiles' ? describePmtiles : describeMbtiles;
      return textOf((await describe(context, file, memberArchives.bytesOf(file))).tileJson);
    },
    layerJson: async (file) =>
      textOf((await describePmtiles(context, file, memberArchives.bytesOf(file))).layerJson),
    names: (file, query) => namesOf(context, file, { ...query, archives: memberArchives, range }),
    // the key holds the secret itself for some seconds: hashing it each time would cost as much as finding the tile
    decide: (datasourceId, secret) =>
      decisions.get(`${datasourceId} ${secret ?? ''}`, () => decideAndTouch(datasourceId, secret)),
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
    range,
    close() {
      stopListening();
      objects.close();
    },
  };
}
