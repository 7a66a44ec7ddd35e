import { PiniaColada } from '@pinia/colada';
import { RequestFailed } from '@platen/client/client';
import { createPinia } from 'pinia';
import { TooltipProvider } from 'reka-ui';
import { beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-vue';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';
import { i18n } from '../i18n/i18n.ts';
import { words } from '../i18n/words.ts';
import { takenQuestion } from './taken-question.ts';
import { forget, pause, resume, uploads } from './queue.ts';
import { unfinishedUploads, sendResumable } from './send-resumable.ts';
import { resumeUpload, startUploads } from './start-uploads.ts';
import { startBucket, type BucketRequest } from './testing-bucket.ts';
import type { UploadItem } from './upload-item.ts';
import UploadPanel from './UploadPanel.vue';

const place = { projectId: 'p', bucketId: 'b' };
const into = (prefix: string) => ({ ...place, prefix });

beforeEach(async () => {
  forget(uploads.value);
  localStorage.clear();
  await words(['first']);
});

const small = (path: string) => ({ path, file: new File(['{}'], path) });
/** Of a size that goes by tus; two of a name are the same file. */
const large = (path: string) => ({ path, file: new File([new Uint8Array(3e6)], path, { lastModified: 1 }) });

const items = (): readonly UploadItem[] => uploads.value;
const states = () => Object.fromEntries(items().map(({ key, state }) => [key, state]));
const keysOf = ({ body }: BucketRequest) => [...(body as FormData).keys()];
const untilAborted = ({ signal }: BucketRequest) =>
  new Promise<never>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));

test('pausing one file of a form continues the others in another form', async () => {
  const bucket = startBucket();
  bucket.before = (request) => (request.place === 'upload' ? untilAborted(request) : undefined);
  void startUploads(into(''), ['x', 'y', 'z'].map(small));
  await expect.poll(() => bucket.sent('POST', 'upload').length).toBe(1);
  pause(items().filter(({ key }) => key === 'x'));
  await expect
    .poll(() => bucket.sent('POST', 'upload').map(keysOf))
    .toEqual([
      ['x', 'y', 'z'],
      ['y', 'z'],
    ]);
  await new Promise((resolve) => setTimeout(resolve)); // the end of the first form is known
  expect(states()).toEqual({ x: 'paused', y: 'running', z: 'running' });
});

test('retrying failed uploads replaces nothing without confirmation', async () => {
  const bucket = startBucket();
  bucket.before = ({ place: at }) => {
    if (at === 'upload') for (const key of ['a', 'b']) bucket.files.add(key); // somebody was quicker
    return undefined;
  };
  const panel = () => h(TooltipProvider, () => h(UploadPanel, place));
  render(
    defineComponent(() => panel),
    { global: { plugins: [i18n, createPinia(), PiniaColada] } },
  );
  await startUploads(into(''), ['a', 'b'].map(small));
  await expect.poll(states).toEqual({ a: 'failed', b: 'failed' });
  await page.getByRole('button', { name: i18n.global.t('uploads.retryAll') }).click();
  expect(takenQuestion.value?.keys).toEqual(['a', 'b']);
  expect(bucket.sent('POST', 'upload').length).toBe(1);
  takenQuestion.value!.answer('replace');
  await expect.poll(() => bucket.sent('POST', 'upload').length).toBe(2);
  expect(bucket.sent('POST', 'upload')[1]!.query.get('overwrite')).toBe('true');
});

test('an upload interrupted by the connection may replace itself, but no file whose name was taken', async () => {
  const bucket = startBucket();
  let isOnline = false;
  bucket.before = () => {
    if (!isOnline) throw new TypeError('Failed to fetch');
    return undefined;
  };
  bucket.files.add('a');
  await startUploads(into(''), [small('a')]);
  await expect.poll(states).toEqual({ a: 'offline' });
  isOnline = true;
  resume(items());
  await expect.poll(states).toEqual({ a: 'failed' });
});

/** A large file of which nothing has arrived, as its connection hangs. */
async function beginHanging(bucket: ReturnType<typeof startBucket>, prefix: string): Promise<UploadItem> {
  bucket.before = (request) => (request.method === 'PATCH' ? untilAborted(request) : undefined);
  await startUploads(into(prefix), [large('big')]);
  const item = items().at(-1)!;
  await expect.poll(() => item.address).toBeDefined();
  return item;
}

test('the same file in another folder is another upload, also during the first', async () => {
  const bucket = startBucket();
  await beginHanging(bucket, 'a/');
  await beginHanging(bucket, 'b/');
  await expect.poll(() => [...bucket.drafts.values()].map(({ key }) => key)).toEqual(['a/big', 'b/big']);
  expect(states()).toEqual({ 'a/big': 'running', 'b/big': 'running' });
});

test('an upload that is under way is not taken over by its file dropped once more', async () => {
  const bucket = startBucket();
  await beginHanging(bucket, 'a/');
  await beginHanging(bucket, 'a/');
  await expect.poll(() => bucket.drafts.size).toBe(2);
});

test('after a restart an upload resumes when its file is dropped at the same place', async () => {
  const bucket = startBucket();
  forget([await beginHanging(bucket, 'a/')]);
  bucket.before = () => undefined;
  await startUploads(into('a/'), [large('big')]);
  await expect.poll(() => [...bucket.files]).toEqual(['a/big']);
  expect(bucket.drafts.size).toBe(1);
});

test('of two uploads of one file the chosen one resumes, at its destination', async () => {
  const bucket = startBucket();
  const both = [await beginHanging(bucket, 'a/'), await beginHanging(bucket, 'b/')];
  forget(both);
  bucket.before = () => undefined;
  const chosen = (await unfinishedUploads('b')).find(({ uploadUrl }) => uploadUrl === both[1]!.address);
  resumeUpload(chosen!, large('big').file, place);
  await expect.poll(() => [...bucket.files]).toEqual(['b/big']);
  expect(bucket.drafts.size).toBe(2);
});

test('a service that cannot report the offset is asked again, and the upload does not start over', async () => {
  const bucket = startBucket();
  const item = await beginHanging(bucket, 'a/');
  pause([item]);
  const watching = { signal: new AbortController().signal, onProgress: () => {} };
  for (const status of [401, 403, 429, 500]) {
    bucket.before = ({ method }) => (method === 'HEAD' ? { status } : undefined);
    const failure = await sendResumable(item, watching).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(RequestFailed);
    expect((failure as RequestFailed).status).toBe(status);
  }
  bucket.before = () => undefined;
  await sendResumable(item, watching);
  expect([...bucket.files]).toEqual(['a/big']);
  expect(bucket.drafts.size).toBe(1);
});

const folders = (count: number) =>
  Array.from({ length: count * 10 }, (_, at) => small(`new/${at % count}/${at}`));

test('five hundred new folders are known to be new by one request', async () => {
  const bucket = startBucket();
  bucket.before = (request) => (request.place === 'upload' ? untilAborted(request) : undefined);
  await startUploads(into(''), folders(500));
  expect(bucket.sent('GET', 'objects').length).toBe(1);
});

test('taken names are read page by page', async () => {
  const bucket = startBucket();
  for (let at = 0; at < 2500; at += 1) bucket.files.add(`new/${at}/x`);
  bucket.files.add('new/7/7');
  bucket.before = (request) => (request.place === 'upload' ? untilAborted(request) : undefined);
  void startUploads(into(''), folders(50));
  await expect.poll(() => takenQuestion.value?.keys).toEqual(['new/7/7']);
  expect(bucket.sent('GET', 'objects').length).toBe(4);
  takenQuestion.value!.answer('skip');
});
