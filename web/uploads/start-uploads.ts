import type { PreviousUpload } from 'tus-js-client';
import { toastFailure } from '../api/failure-toast.ts';
import { takenQuestion, type Choice } from './taken-question.ts';
import { isTaken } from './failure-texts.ts';
import { addUploads, changed, forget, pump, resume, uploads } from './queue.ts';
import { unfinishedUploads, isUploadOf } from './send-resumable.ts';
import { smallBytes } from './next-work.ts';
import { freeKey, findTakenKeys } from './taken-names.ts';
import type { FoundFile, UploadItem, UploadTarget } from './upload-item.ts';

let lastId = 0;
let lastBatch = 0;

/** Queues files, and sends them once their names are known to be free. */
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
    const fresh = await resumeEarlier(items);
    if (!overwrite && fresh.length > 0) await settleNames(target, fresh);
  } catch (failure) {
    toastFailure(failure); // taken names are detected on sending
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
    address: undefined,
  };
}

/** Resumes an earlier upload, now that its file is available again. */
export function resumeUpload(
  previous: PreviousUpload,
  file: File,
  place: Pick<UploadTarget, 'projectId' | 'bucketId'>,
): void {
  if (knownAddresses().has(previous.uploadUrl!)) return;
  lastBatch += 1;
  const item = itemOf({ ...place, prefix: '' }, { path: keyOf(previous), file }, false);
  adopt(item, previous);
  item.state = 'queued';
  addUploads([item]);
  pump();
}

function adopt(item: UploadItem, { uploadUrl, metadata }: PreviousUpload): void {
  item.address = uploadUrl!;
  item.overwrite = metadata['overwrite'] === 'true';
}

const keyOf = ({ metadata }: PreviousUpload): string => metadata['key'] ?? '';

/** The addresses of uploads that this page sends or has started. */
const knownAddresses = () => new Set(uploads.value.map(({ address }) => address));

/** Resumes earlier uploads of the same file to the same key without asking; returns the other items. */
async function resumeEarlier(items: readonly UploadItem[]): Promise<UploadItem[]> {
  const large = items.filter(({ file }) => file.size > smallBytes);
  if (large.length === 0) return [...items];
  const begun = Map.groupBy(await unfinishedUploads(large[0]!.bucketId), keyOf);
  const going = new Set<UploadItem>();
  const taken = knownAddresses();
  for (const item of large) {
    const ofKey = begun.get(item.key) ?? [];
    const previous = ofKey.find((one) => !taken.has(one.uploadUrl!) && isUploadOf(one, item.file));
    // an upload started without overwriting cannot overwrite any more
    if (!previous || (item.overwrite && previous.metadata['overwrite'] !== 'true')) continue;
    adopt(item, previous);
    taken.add(item.address);
    going.add(item);
  }
  return items.filter((item) => !going.has(item));
}

async function settleNames(target: UploadTarget, items: readonly UploadItem[]): Promise<void> {
  const taken = await findTakenKeys(
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
  const before = takenQuestion.value;
  before?.answer('skip');
  takenQuestion.value = {
    keys: items.map(({ key }) => key),
    total,
    answer(choice) {
      takenQuestion.value = undefined;
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
    item.address = undefined;
    item.key = await freeKey(item, item.key, (key) => reserved.has(key));
    item.wasFree = true;
    reserved.add(item.key);
  }
  changed();
}

/** Uploads files again that were refused because their names are taken, as the user decided. */
export async function resolveTaken(items: readonly UploadItem[], choice: Choice): Promise<void> {
  try {
    await apply(items, choice);
  } catch (failure) {
    toastFailure(failure);
    return;
  }
  if (choice !== 'skip') resume(items);
}

/** Uploads failed files again; asks first if their names are taken. */
export async function retryFailed(items: readonly UploadItem[]): Promise<void> {
  const taken = items.filter(isTaken);
  resume(items.filter((item) => !isTaken(item)));
  if (taken.length > 0) await resolveTaken(taken, await ask(taken, taken.length));
}
