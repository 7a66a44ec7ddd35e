import type { PinnedRevision } from '../../files/revisions/pinned-revision.ts';
import type { ServedDatasource } from './access.ts';
import type { ServingCache } from './serving-cache.ts';

/** Matches `~12/path`: a revision and the path in it. */
const pin = /^~(\d{1,9})(?:\/(.*))?$/s;

/** Returns the revision that a path names and the path within it; undefined for the current data. */
export function pinOf(path: string): { revision: number; path: string } | undefined {
  if (!path.startsWith('~')) return undefined; // nearly every request
  const match = pin.exec(path);
  return match ? { revision: Number(match[1]), path: match[2] ?? '' } : undefined;
}

/**
 * An open map can read replaced data for this long. The time is limited because a corrected file is meant to replace the
 * wrong one everywhere.
 */
const graceMs = 24 * 3_600_000;

/** Returns whether a revision can still be read by its address. */
export function isServed({ replacedAt }: PinnedRevision, now: Date): boolean {
  return replacedAt === undefined || now.getTime() - replacedAt.getTime() < graceMs;
}

/** Uploads within five minutes of each other are one revision (ADR 36), so that none is added after twice that time. */
const settlingMs = 10 * 60_000;

/** Returns whether the files of a revision no longer change, so that caches may keep them. */
export function isSettled({ lastUploadAt }: PinnedRevision, now: Date): boolean {
  return lastUploadAt === undefined || now.getTime() - lastUploadAt.getTime() > settlingMs;
}

/** Returns the datasource as it was in a revision, and a cache that finds the files of that revision. */
export function pinTo(
  cache: ServingCache,
  datasource: ServedDatasource,
  pinned: PinnedRevision,
): { cache: ServingCache; datasource: ServedDatasource } {
  const {
    revision,
    type,
    typeProperties,
    sourceProperties,
    properties,
    bbox,
    bucketId,
    bucketKey,
    servedFolder,
    formerNames,
    until,
  } = pinned;
  const then = { type, sourceProperties, bucketId, bucketKey, servedFolder, formerNames };
  return {
    cache: {
      ...cache,
      file: (bucket, key) => cache.fileOfRevision(datasource._id, revision, { bucketId: bucket, key }),
      style: async () => properties['style'],
      description: async (id) => {
        const now = await cache.description(id);
        return now && { ...now, bbox: bbox ?? undefined, typeProperties };
      },
    },
    datasource: until === undefined ? datasource : { ...datasource, ...then },
  };
}
