import { api } from '../api/api.ts';
import { foldersBelow, numbered, sharedFolder } from './names.ts';
import type { UploadTarget } from './upload-item.ts';

/** Up to this number, names or folders are looked up one by one. */
const maxSingleLookups = 25;
const pageSize = 1000;
/** Beyond these pages, the service detects taken names on upload. */
const maxPages = 20;

type Place = Pick<UploadTarget, 'projectId' | 'bucketId'>;

/** The keys that are already files; one request suffices for any number of keys in a new folder. */
export async function findTakenKeys(place: Place, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length <= maxSingleLookups) {
    const known = await Promise.all(keys.map(async (key) => ((await isTaken(place, key)) ? [key] : [])));
    return new Set(known.flat());
  }
  const shared = sharedFolder(keys);
  const objectCount = await countBelow(place, shared);
  const taken = new Set<string>();
  if (objectCount === 0) return taken;
  const below = foldersBelow(shared, keys);
  // in a larger bucket, a few folders are listed individually
  const isApart = objectCount > maxPages * pageSize && below.size <= maxSingleLookups;
  const remaining = new Set(keys);
  for (const folder of isApart ? below : [shared])
    await readBelow(place, folder, (key) => remaining.has(key) && taken.add(key));
  return taken;
}

/** `name (2).ext`, or the next free number. */
export async function freeKey(
  place: Place,
  key: string,
  isReserved: (key: string) => boolean,
): Promise<string> {
  for (let number = 2; ; number += 1) {
    const candidate = numbered(key, number);
    if (!isReserved(candidate) && !(await isTaken(place, candidate))) return candidate;
  }
}

/** Avoids a failing request: the file with this key is the first with the key as prefix. */
async function isTaken(place: Place, key: string): Promise<boolean> {
  const { items } = await api.getProjectDataBucketObjects({
    params: paramsOf(place),
    query: { prefix: key, delimiter: '/', orderBy: ['key'], sort: 'asc', limit: 1 },
  });
  return items[0]?.key === key;
}

async function countBelow(place: Place, prefix: string): Promise<number> {
  const { totalCount } = await api.getProjectDataBucketObjects({
    params: paramsOf(place),
    query: { prefix, limit: 1 },
  });
  return totalCount;
}

async function readBelow(place: Place, prefix: string, report: (key: string) => void): Promise<void> {
  for (let page = 0; page < maxPages; page += 1) {
    const { items, totalPages } = await api.getProjectDataBucketObjects({
      params: paramsOf(place),
      query: { prefix, orderBy: ['key'], limit: pageSize, page },
    });
    for (const { key } of items) report(key);
    if (page + 1 >= totalPages) return;
  }
}

const paramsOf = ({ projectId, bucketId: dataBucketId }: Place) => ({ projectId, dataBucketId });
