import { expect, test } from 'vitest';
import { render } from 'vitest-browser-vue';
import { page } from 'vitest/browser';
import { i18n } from '../i18n/i18n.ts';
import { words } from '../i18n/words.ts';
import CrsDialog from './CrsDialog.vue';

async function show(candidates: readonly { readonly code: string; readonly name: string }[]) {
  await words(['first', 'preview', 'quick-publish']);
  const chosen: string[] = [];
  await render(CrsDialog, {
    props: { open: true, candidates, onChoose: (crs: string) => chosen.push(crs) },
    global: { plugins: [i18n] },
  });
  return chosen;
}

const field = () => page.getByRole('combobox');
const convert = () => page.getByRole('button', { name: 'Continue to the task' });

test('the likeliest system is filled in, and the others are offered before the common ones', async () => {
  const chosen = await show([
    { code: 'EPSG:26912', name: 'NAD83 / UTM zone 12N' },
    { code: 'EPSG:3857', name: 'WGS 84 / Pseudo-Mercator' },
  ]);
  await expect.element(field()).toHaveValue('EPSG:26912');
  const input = field().element() as HTMLInputElement;
  const offered = [...input.list!.options].map(({ value }) => value);
  expect(offered.slice(0, 3)).toEqual(['EPSG:26912', 'EPSG:3857', 'EPSG:4326']);
  expect(new Set(offered).size).toBe(offered.length);
  await convert().click();
  expect(chosen).toEqual(['EPSG:26912']);
});

test('without a guess nothing is filled in, and nothing can be chosen', async () => {
  await show([]);
  await expect.element(field()).toHaveValue('');
  await expect.element(convert()).toBeDisabled();
});
