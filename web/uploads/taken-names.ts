import { api } from '../api/api.ts';
import { numbered, rootsOf } from './names.ts';
import type { UploadTarget } from './upload-item.ts';

/** Up to so many names are asked for one by one; for more, folders are read. */
const mostSingly = 25;
const pageSize = 1000;
/** What lies beyond is found out by the service when it refuses. */
const mostPages = 20;

type Place = Pick<UploadTarget, 'projectId' | 'bucketId'>;

/** Which of these keys are files already. */
export async function takenOf(place: Place, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const wanted = new Set(keys);
  const taken = new Set<string>();
  for (const [root, below] of rootsOf(keys)) {
    if (below.length <= mostSingly) {
      const known = await Promise.all(below.map(async (key) => ((await isTaken(place, key)) ? [key] : [])));
      for (const key of known.flat()) taken.add(key);
    } else await readBelow(place, root, (key) => wanted.has(key) && taken.add(key));
  }
  return taken;
}

/** `name (2).ext`, or the next number that is free. */
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

/** Without a request that fails: the file of that key is the first of all that begin so. */
async function isTaken(place: Place, key: string): Promise<boolean> {
  const { items } = await api.getProjectDataBucketObjects({
    params: paramsOf(place),
    query: { prefix: key, delimiter: '/', orderBy: ['key'], sort: 'asc', limit: 1 },
  });
  return items[0]?.key === key;
}

async function readBelow(place: Place, prefix: string, tell: (key: string) => void): Promise<void> {
  for (let page = 0; page < mostPages; page += 1) {
    const { items, totalPages } = await api.getProjectDataBucketObjects({
      params: paramsOf(place),
      query: { prefix, orderBy: ['key'], limit: pageSize, page },
    });
    for (const { key } of items) tell(key);
    if (page + 1 >= totalPages) return;
  }
}

const paramsOf = ({ projectId, bucketId: dataBucketId }: Place) => ({ projectId, dataBucketId });
