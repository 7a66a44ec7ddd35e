import { toastFailure } from '../api/failure-toast.ts';
import { askedTaken, type Choice } from './asked-taken.ts';
import { addUploads, changed, forget, pump } from './queue.ts';
import { begunHere, previousOf } from './send-resumable.ts';
import { smallBytes } from './next-work.ts';
import { freeKey, takenOf } from './taken-names.ts';
import type { FoundFile, UploadItem, UploadTarget } from './upload-item.ts';

let lastId = 0;
let lastBatch = 0;

/** Puts files into the queue, and sends them after it is known whether their names are free. */
export async function startUploads(
  target: UploadTarget,
  files: readonly FoundFile[],
  { overwrite = false } = {},
): Promise<void> {
  if (files.length === 0) return;
  lastBatch += 1;
  const items = files.map((found) => itemOf(target, found, overwrite));
  addUploads(items);
  try {
    const fresh = await withoutBegun(items);
    if (!overwrite && fresh.length > 0) await settleNames(target, fresh);
  } catch (failure) {
    toastFailure(failure); // what is taken is found out when it is sent
  }
  for (const item of items) if (item.state === 'checking') item.state = 'queued';
  pump();
}

function itemOf(
  { projectId, bucketId, prefix }: UploadTarget,
  { path, file }: FoundFile,
  overwrite: boolean,
): UploadItem {
  lastId += 1;
  return {
    id: lastId,
    batch: lastBatch,
    projectId,
    bucketId,
    file,
    key: `${prefix}${path}`.normalize('NFC'),
    overwrite,
    state: 'checking',
    sent: 0,
    rate: 0,
    attempts: 0,
    wasInterrupted: false,
    failure: undefined,
  };
}

/** What was begun before goes on where it was to go, without a question; answers the others. */
async function withoutBegun(items: readonly UploadItem[]): Promise<UploadItem[]> {
  const large = items.filter(({ file }) => file.size > smallBytes);
  if (large.length === 0) return [...items];
  const begun = await begunHere(large[0]!.bucketId);
  const going = new Set<UploadItem>();
  for (const item of large) {
    const previous = previousOf(item.file, begun);
    if (!previous) continue;
    item.key = previous.metadata['key']!;
    item.overwrite = previous.metadata['overwrite'] === 'true';
    going.add(item);
  }
  return items.filter((item) => !going.has(item));
}

async function settleNames(target: UploadTarget, items: readonly UploadItem[]): Promise<void> {
  const taken = await takenOf(
    target,
    items.map(({ key }) => key),
  );
  const clashing = items.filter(({ key }) => taken.has(key));
  if (clashing.length === 0) return;
  await apply(target, clashing, await ask(clashing, items.length));
}

function ask(items: readonly UploadItem[], total: number): Promise<Choice> {
  const { promise, resolve } = Promise.withResolvers<Choice>();
  const before = askedTaken.value;
  before?.answer('skip');
  askedTaken.value = {
    keys: items.map(({ key }) => key),
    total,
    answer(choice) {
      askedTaken.value = undefined;
      resolve(choice);
    },
  };
  return promise;
}

async function apply(target: UploadTarget, items: readonly UploadItem[], choice: Choice): Promise<void> {
  if (choice === 'skip') forget(items);
  if (choice === 'replace') for (const item of items) item.overwrite = true;
  if (choice !== 'keepBoth') return;
  const reserved = new Set<string>();
  for (const item of items) {
    item.key = await freeKey(target, item.key, (key) => reserved.has(key));
    reserved.add(item.key);
  }
  changed();
}

/** A file that the service refused as its name is taken, once more with what somebody wants then. */
export async function settleTaken(item: UploadItem, choice: Choice): Promise<void> {
  const { projectId, bucketId } = item;
  try {
    await apply({ projectId, bucketId, prefix: '' }, [item], choice);
  } catch (failure) {
    toastFailure(failure);
    return;
  }
  if (choice !== 'skip') {
    item.state = 'queued';
    item.failure = undefined;
    pump();
  }
}
