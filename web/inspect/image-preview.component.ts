import { PiniaColada } from '@pinia/colada';
import type { Inspection } from '@platen/contract/inspect';
import { createPinia } from 'pinia';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-vue';
import { page } from 'vitest/browser';
import { i18n } from '../i18n/i18n.ts';
import { words } from '../i18n/words.ts';
import ImagePreview from './ImagePreview.vue';
import '../main.css';

/** An image of 1,000 × 500 red pixels whose inspection shows it smaller. */
function redImage(): Inspection {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [256, 128];
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#f00';
  context.fillRect(0, 0, 256, 128);
  const layers = [{ name: 'red', details: { width: 1000, height: 500 } }];
  return { key: 'red.png', size: 1, thumbnail: canvas.toDataURL(), layers } as unknown as Inspection;
}

test('a place is kept for the picture until it is there, so that nothing below it moves', async () => {
  await words(['first', 'inspect']);
  await render(ImagePreview, {
    props: { inspection: redImage(), options: {} },
    global: { plugins: [i18n, createPinia(), PiniaColada] },
  });
  const canvas = page.getByRole('img').element() as HTMLCanvasElement;
  const before = canvas.getBoundingClientRect();
  const middle = () => [...canvas.getContext('2d')!.getImageData(128, 64, 1, 1).data];
  await expect.poll(middle).toEqual([255, 0, 0, 255]);
  expect(canvas.getBoundingClientRect()).toEqual(before);
});
