import { PiniaColada } from '@pinia/colada';
import { createPinia } from 'pinia';
import { TooltipProvider } from 'reka-ui';
import { beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-vue';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';
import { i18n } from '../i18n/i18n.ts';
import { words } from '../i18n/words.ts';
import { askedTaken } from './asked-taken.ts';
import { forget, pause, resume, uploads } from './queue.ts';
import { startUploads } from './start-uploads.ts';
import { startBucket, type Asked } from './testing-bucket.ts';
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

const items = (): readonly UploadItem[] => uploads.value;
const states = () => Object.fromEntries(items().map(({ key, state }) => [key, state]));
const keysOf = ({ body }: Asked) => [...(body as FormData).keys()];
const untilAborted = ({ signal }: Asked) =>
  new Promise<never>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));

test('where one file of a form is paused, the others go on in another form and do not fail', async () => {
  const bucket = startBucket();
  bucket.before = (asked) => (asked.place === 'upload' ? untilAborted(asked) : undefined);
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

test('to try again what failed replaces nothing before somebody says so', async () => {
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
  expect(askedTaken.value?.keys).toEqual(['a', 'b']);
  expect(bucket.sent('POST', 'upload').length).toBe(1);
  askedTaken.value!.answer('replace');
  await expect.poll(() => bucket.sent('POST', 'upload').length).toBe(2);
  expect(bucket.sent('POST', 'upload')[1]!.query.get('overwrite')).toBe('true');
});

test('what the connection broke off may replace itself, but nothing whose name was not free', async () => {
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
