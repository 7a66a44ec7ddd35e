import type { Inspection } from '@platen/contract/inspect';
import type { JobType } from '@platen/contract/job-types';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-vue';
import { page } from 'vitest/browser';
import { defineComponent, h, ref } from 'vue';
import { i18n } from '../i18n/i18n.ts';
import { words } from '../i18n/words.ts';
import { requireAccessible } from '../page/testing-accessible.ts';
import HeightsQuestion from './HeightsQuestion.vue';
import '../main.css';

const vertical = { type: 'string' };
const typeWith = (options: object) =>
  ({ parameters: { properties: { options: { properties: options } } } }) as unknown as JobType;
const terrain = typeWith({ heights: { properties: { vertical } } });
const inspectionOf = (asks: boolean) =>
  ({
    layers: [{ name: 'dgm', details: { heights: { asks, undulation: 46.6, seaLevel: 'EPSG:7837' } } }],
  }) as unknown as Inspection;

async function show(type: JobType, asks: boolean) {
  await words(['first', 'tasks', 'quick-publish']);
  const parameters = ref<Readonly<Record<string, unknown>>>({ options: { heights: { unit: 'foot' } } });
  const Host = defineComponent(
    () => () =>
      h(HeightsQuestion, {
        modelValue: parameters.value,
        'onUpdate:modelValue': (next: Readonly<Record<string, unknown>>) => (parameters.value = next),
        type,
        inspection: inspectionOf(asks),
      }),
  );
  await render(Host, { global: { plugins: [i18n] } });
  return parameters;
}

test('where nobody knows what heights count from, the form asks, and the answer becomes the option', async () => {
  const parameters = await show(terrain, true);
  const answers = page.getByRole('radio');
  await expect.element(answers.first()).toBeInTheDocument();
  await answers.first().click();
  expect(parameters.value).toEqual({ options: { heights: { unit: 'foot', vertical: 'EPSG:7837' } } });
  await answers.last().click();
  expect(parameters.value).toEqual({ options: { heights: { unit: 'foot', vertical: 'ellipsoid' } } });
});

test('it does not ask where it is known, or where the job does not compute with it', async () => {
  await show(terrain, false);
  await show(typeWith({}), true);
  await show(terrain, true);
  await expect.element(page.getByRole('radio').first()).toBeInTheDocument();
  expect(page.getByRole('radio').elements().length).toBe(2);
});

test('the question meets the rules of axe, and its answers are reached by the keyboard', async () => {
  const modelValue = { options: { heights: { vertical: 'ellipsoid' } } };
  const form = () => h(HeightsQuestion, { modelValue, type: terrain, inspection: inspectionOf(true) });
  await requireAccessible(form, { areas: ['first', 'tasks', 'quick-publish'], controls: 1 });
});
