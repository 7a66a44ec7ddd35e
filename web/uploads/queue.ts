import { RequestFailed } from '@platen/client/client';
import { computed, shallowRef, triggerRef } from 'vue';
import { reportActivities } from '../page/activities.ts';
import { backoffMs, fitsForm, nextWork } from './next-work.ts';
import { sendForm } from './send-form.ts';
import { sendResumable } from './send-resumable.ts';
import { isOpen, nameOf, type UploadItem } from './upload-item.ts';

const maxConcurrent = 4;
const refreshMs = 200;

/** All uploads since the page was loaded, on any page. Updated at most five times a second. */
export const uploads = shallowRef<UploadItem[]>([]);

/** The files uploaded by the latest batches, newest last. */
export const uploaded = shallowRef<readonly UploadItem[]>([]);

const running = new Map<UploadItem, AbortController>();
let works = 0;
let refreshTimer: ReturnType<typeof setTimeout> | undefined;

export function changed(): void {
  refreshTimer ??= setTimeout(() => {
    refreshTimer = undefined;
    triggerRef(uploads);
  }, refreshMs);
}

/** Items are changed in place: reading one through this makes the reader render again on changes. */
export function tracked(item: UploadItem): UploadItem {
  void uploads.value;
  return item;
}

export function addUploads(items: readonly UploadItem[]): void {
  uploads.value = [...uploads.value, ...items];
}

/** Starts waiting uploads, up to four at once. */
export function pump(): void {
  while (works < maxConcurrent) {
    const work = nextWork(uploads.value);
    if (work.length === 0) break;
    void send(work);
  }
  changed();
}

async function send(work: readonly UploadItem[]): Promise<void> {
  const stop = new AbortController();
  // a paused item may be running again, in another request
  const isHere = (item: UploadItem) => running.get(item) === stop;
  const settled = (item: UploadItem, failure?: unknown) => isHere(item) && settle(item, failure);
  works += 1;
  for (const item of work) {
    item.state = 'running';
    item.failure = undefined;
    running.set(item, stop);
  }
  changed();
  try {
    const [first] = work;
    if (fitsForm(first!)) await sendForm(work, { signal: stop.signal, settled });
    else {
      await sendResumable(first!, { signal: stop.signal, onProgress: meter(first!) });
      settled(first!);
    }
  } catch (failure) {
    for (const item of work) settled(item, failure);
  } finally {
    for (const item of work) if (isHere(item)) running.delete(item);
    works -= 1;
    pump();
  }
}

function settle(item: UploadItem, failure?: unknown): void {
  item.rate = 0;
  if (failure === undefined) {
    item.state = 'done';
    item.sent = item.file.size;
    reportUploaded(item);
  } else if (item.state === 'running') {
    item.wasInterrupted ||= mayBeStored(failure);
    item.failure = failure;
    if (isTransient(failure)) retryLater(item);
    else item.state = 'failed';
  }
  changed();
}

/** Reports the files of a batch together, once none of it is running. */
function reportUploaded({ batch }: UploadItem): void {
  const all = uploads.value.filter((item) => item.batch === batch);
  if (all.some(({ state }) => state === 'queued' || state === 'running' || state === 'checking')) return;
  const done = all.filter(({ state }) => state === 'done');
  uploaded.value = done;
  forget(done);
}

/** Whether the file may have been stored without an acknowledgement: the connection or the service failed. */
const mayBeStored = (failure: unknown): boolean =>
  failure instanceof TypeError ||
  (failure instanceof RequestFailed && failure.status >= 500 && failure.status !== 507);

/** Whether the failure is transient rather than caused by the file. */
const isTransient = (failure: unknown): boolean =>
  mayBeStored(failure) ||
  (failure instanceof RequestFailed && (failure.status === 429 || failure.status === 423));

function retryLater(item: UploadItem): void {
  item.attempts += 1;
  item.state = 'offline';
  setTimeout(() => retry(item), backoffMs(item.attempts));
}

function retry(item: UploadItem): void {
  if (item.state !== 'offline') return;
  item.state = 'queued';
  pump();
}

/** Counts the uploaded bytes and the rate; any progress resets the attempts. */
function meter(item: UploadItem): (bytes: number) => void {
  let at = performance.now();
  let before: number | undefined;
  return (bytes) => {
    const now = performance.now();
    before ??= bytes;
    item.sent = bytes;
    if (now - at >= 500) {
      const rate = ((bytes - before) * 1000) / (now - at);
      item.rate = item.rate === 0 ? rate : item.rate * 0.7 + rate * 0.3;
      [at, before] = [now, bytes];
      item.attempts = 0;
    }
    changed();
  };
}

export function pause(items: readonly UploadItem[]): void {
  for (const item of items) {
    if (!['queued', 'running', 'offline'].includes(item.state)) continue;
    item.wasInterrupted ||= item.state === 'running';
    item.state = 'paused';
    item.rate = 0;
    running.get(item)?.abort(new DOMException('Paused', 'AbortError'));
  }
  // other files of the same form go into another one
  for (const item of uploads.value) {
    if (item.state === 'running' && running.get(item)?.signal.aborted) {
      item.wasInterrupted = true;
      item.state = 'queued';
    }
  }
  pump();
}

export function resume(items: readonly UploadItem[]): void {
  for (const item of items) {
    if (item.state !== 'paused' && item.state !== 'failed' && item.state !== 'offline') continue;
    item.attempts = 0;
    item.failure = undefined;
    item.state = 'queued';
  }
  pump();
}

/** Removes items from the queue and cancels those running. */
export function forget(items: readonly UploadItem[]): void {
  pause(items);
  const gone = new Set(items);
  uploads.value = uploads.value.filter((item) => !gone.has(item));
}

const open = computed(() => uploads.value.filter(isOpen));
const underWay = computed(() => open.value.filter(({ state }) => state !== 'paused'));

/** The overall progress by bytes. */
export const shareOf = (items: readonly UploadItem[]): number => {
  const size = items.reduce((sum, { file }) => sum + file.size, 0);
  const sent = items.reduce((sum, item) => sum + item.sent, 0);
  return size === 0 ? 0 : sent / size;
};

reportActivities(
  'uploads',
  computed(() => {
    const [first] = open.value;
    if (!first) return [];
    const batches = new Set(open.value.map(({ batch }) => batch));
    const all = uploads.value.filter(({ batch }) => batches.has(batch));
    const { projectId } = first;
    const to = { name: 'files', params: { projectId } };
    return [{ id: 'uploads', name: nameOf(first.key), share: shareOf(all), to }];
  }),
);

addEventListener('online', () => resume(uploads.value.filter(({ state }) => state === 'offline')));
addEventListener('beforeunload', (event) => underWay.value.length > 0 && event.preventDefault());
