import type { PinnedRevision } from '../../files/revisions/as-of.ts';
import type { ServedDatasource } from './access.ts';
import type { Library } from './library.ts';

/** `~12` and what follows it, at the beginning of what is asked for of a datasource. */
const pin = /^~(\d{1,9})(?:\/(.*))?$/s;

/** The revision that an address names, and what is asked for of it; undefined: it wants what is served now. */
export function pinOf(rest: string): { revision: number; rest: string } | undefined {
  if (!rest.startsWith('~')) return undefined; // nearly all, on the hot path
  const match = pin.exec(rest);
  return match ? { revision: Number(match[1]), rest: match[2] ?? '' } : undefined;
}

/**
 * So long an open map goes on with what was replaced; after that only those who may restore it read it, elsewhere. Whoever
 * puts a corrected file in the place of another wants the other gone.
 */
const graceMs = 24 * 3_600_000;

/** May it still be read by its address? */
export function isServed({ replacedAt }: PinnedRevision, now: Date): boolean {
  return replacedAt === undefined || now.getTime() - replacedAt.getTime() < graceMs;
}

/** Uploads within five minutes of each other are one revision (ADR 36): after twice that none becomes part of it. */
const settlingMs = 10 * 60_000;

/** Whether its files stay as they are, so that caches may keep them. */
export function isSettled({ lastUploadAt }: PinnedRevision, now: Date): boolean {
  return lastUploadAt === undefined || now.getTime() - lastUploadAt.getTime() > settlingMs;
}

/** The datasource as it was in a revision, and a library that finds the files of that. */
export function pinTo(
  library: Library,
  datasource: ServedDatasource,
  pinned: PinnedRevision,
): { library: Library; datasource: ServedDatasource } {
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
    library: {
      ...library,
      file: (bucket, key) => library.fileOfRevision(datasource._id, revision, { bucketId: bucket, key }),
      style: async () => properties['style'],
      described: async (id) => {
        const now = await library.described(id);
        return now && { ...now, bbox: bbox ?? undefined, typeProperties };
      },
    },
    datasource: until === undefined ? datasource : { ...datasource, ...then },
  };
}
