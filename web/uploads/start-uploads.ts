import { toastFailure } from '../api/failure-toast.ts';
import { askedTaken, type Choice } from './asked-taken.ts';
import { isTaken } from './failure-words.ts';
import { addUploads, changed, forget, pump, resume } from './queue.ts';
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
    wasFree: false,
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
  for (const item of items) item.wasFree = !taken.has(item.key);
  const clashing = items.filter(({ wasFree }) => !wasFree);
  if (clashing.length === 0) return;
  await apply(clashing, await ask(clashing, items.length));
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

async function apply(items: readonly UploadItem[], choice: Choice): Promise<void> {
  if (choice === 'skip') forget(items);
  if (choice === 'replace') for (const item of items) item.overwrite = true;
  if (choice !== 'keepBoth') return;
  const reserved = new Set<string>();
  for (const item of items) {
    item.key = await freeKey(item, item.key, (key) => reserved.has(key));
    item.wasFree = true;
    reserved.add(item.key);
  }
  changed();
}

/** Files that the service refused as their names are taken, once more with what somebody wants then. */
export async function settleTaken(items: readonly UploadItem[], choice: Choice): Promise<void> {
  try {
    await apply(items, choice);
  } catch (failure) {
    toastFailure(failure);
    return;
  }
  if (choice !== 'skip') resume(items);
}

/** What failed, once more; where names are taken somebody is asked first. */
export async function retryFailed(items: readonly UploadItem[]): Promise<void> {
  const taken = items.filter(isTaken);
  resume(items.filter((item) => !isTaken(item)));
  if (taken.length > 0) await settleTaken(taken, await ask(taken, taken.length));
}
