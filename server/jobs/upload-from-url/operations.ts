import type { Job } from '@platen/contract/jobs';
import type { UploadFromUrl } from '@platen/contract/upload-from-url';
import type { BucketPath } from '../../files/buckets/operations.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { Caller } from '../../base/caller.ts';
import { getJob } from '../operations.ts';
import { existsAlready } from '../../files/objects/ingest.ts';
import { folderKeyOf, keyOf } from '../../files/objects/key.ts';
import { findObject } from '../../files/objects/store.ts';
import { createTask } from '../tasks/operations.ts';

const maxNameLength = 200;

/**
 * Starts a job that fetches the file on a runner, because the service itself never requests addresses of users.
 * @throws Failure `unusable_reference` for an invalid address, `conflict` if the file exists and may not be replaced
 */
export async function uploadFromUrl(
  context: Context,
  caller: Caller,
  { projectId, dataBucketId, body }: BucketPath & { body: UploadFromUrl },
): Promise<Job> {
  const { url, key: rawKey, overwrite = false } = body;
  const place = placeOf(rawKey);
  if (place.key !== undefined && !overwrite) {
    const key = place.prefix + place.key;
    if (await findObject(context.db, dataBucketId, key)) throw existsAlready(key);
  }
  return inTransaction(context.db, async (tx) => {
    const inside = { ...context, db: tx };
    const options = {
      input: { type: 'external', url },
      ...(place.key !== undefined && { key: place.key }),
      output: { dataBucketId, overwrite, ...(place.prefix !== '' && { prefix: place.prefix }) },
    };
    const name = `Fetch ${withoutQuery(url)}`.slice(0, maxNameLength).toWellFormed();
    const task = { name, jobType: 'platenFetchUrl', parameters: { options } };
    const { lastJobId } = await createTask(inside, caller, { projectId, body: task });
    return getJob(inside, projectId, lastJobId!);
  });
}

/** Task names are visible to more users than parameters, and the query is often a signature. */
const withoutQuery = (url: string) => url.replace(/[?#].*/s, '');

/** The folder, ending in `/` or empty, and the file name if one was given. */
function placeOf(rawKey: string | undefined): { prefix: string; key?: string } {
  if (rawKey === undefined || rawKey === '/') return { prefix: '' };
  if (rawKey.endsWith('/')) return { prefix: folderKeyOf(rawKey) };
  const key = keyOf(rawKey);
  const at = key.lastIndexOf('/') + 1;
  return { prefix: key.slice(0, at), key: key.slice(at) };
}
