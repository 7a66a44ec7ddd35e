import { RequestFailed } from '@platen/client/client';
import { beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-vue';
import { page, type Locator } from 'vitest/browser';
import { defineComponent, h, ref, shallowRef } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { i18n } from '../i18n/i18n.ts';
import { words } from '../i18n/words.ts';
import JsonText from '../schema-form/JsonText.vue';
import ConflictDialog from './ConflictDialog.vue';
import { useEditing } from './editing.ts';

interface Street {
  readonly _id: string;
  readonly revision: number;
  readonly name: string;
  readonly note: string;
}

beforeEach(async () => {
  localStorage.clear();
  await words(['first']);
});

/** A form before a service that keeps one street, and refuses what was made of an older revision. */
function show(first: Street = { _id: 's1', revision: 1, name: 'Wall', note: 'old' }) {
  let stored = first;
  const source = shallowRef(first);
  const requests: { revision: number; name: string; note: string }[] = [];
  const json = ref<unknown>({});
  let held = Promise.resolve();
  const form = defineComponent(() => {
    const { draft, isDirty, isOutdated, conflict, save } = useEditing({
      source,
      pick: ({ name, note }: Street) => ({ name, note }),
      async save(body, revision) {
        requests.push({ ...body, revision });
        await held;
        if (revision !== stored.revision) {
          throw new RequestFailed(412, { code: 'precondition_failed', detail: 'It was changed.' });
        }
        stored = { ...stored, ...body, revision: revision + 1 };
        return stored;
      },
      refresh: async () => stored,
    });
    const input = (field: 'name' | 'note') =>
      h('input', {
        'aria-label': field,
        value: draft.value?.[field],
        onInput: (event: Event) => {
          draft.value = { ...draft.value!, [field]: (event.target as HTMLInputElement).value };
        },
      });
    return () => [
      input('name'),
      input('note'),
      h(JsonText, {
        label: 'json',
        modelValue: json.value,
        'onUpdate:modelValue': (to) => (json.value = to),
      }),
      h('button', { onClick: () => void save() }, 'save'),
      h('output', [isDirty.value ? 'dirty' : 'clean', isOutdated.value ? 'outdated' : 'newest'].join(' ')),
      h(ConflictDialog, { conflict: conflict.value as never }),
    ];
  });
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/', component: form }] });
  const root = render(form, { global: { plugins: [i18n, router] } });
  return {
    root,
    requests,
    stored: () => stored,
    /** Holds the answers to saves until the returned function is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    /** Someone else saves; `isReported` says whether events report it. */
    change(change: Partial<Street>, isReported: boolean) {
      stored = { ...stored, ...change, revision: stored.revision + 1 };
      if (isReported) source.value = stored;
    },
  };
}

const field = (name: string) => page.getByRole('textbox', { name });
const save = () => page.getByRole('button', { name: 'save', exact: true }).click();
const expectText = (place: Locator, text: string) =>
  expect.poll(() => place.element().textContent).toContain(text);
const state = () => page.getByRole('status');

test('changes of others are shown until the user types, and do not overwrite typed text', async () => {
  const { change } = show();
  change({ name: 'Ring' }, true);
  await expect.element(field('name')).toHaveValue('Ring');
  await field('note').fill('mine');
  change({ name: 'Markt' }, true);
  await expect.element(state()).toHaveTextContent('dirty outdated');
  await expect.element(field('name')).toHaveValue('Ring');
});

test('changes of two people to different fields are merged without a question', async () => {
  const { change, stored, requests } = show();
  await field('note').fill('mine');
  change({ name: 'Ring' }, false);
  await save();
  await expect.element(state()).toHaveTextContent('clean newest');
  expect(stored()).toMatchObject({ name: 'Ring', note: 'mine', revision: 3 });
  expect(requests.map(({ revision }) => revision)).toEqual([1, 2]);
});

test('conflicting changes lead to a question, and nothing is saved before the answer', async () => {
  const { change, stored } = show();
  await field('name').fill('Mein Weg');
  change({ name: 'Dein Weg', note: 'new' }, false);
  await save();
  const dialog = page.getByRole('dialog');
  await expectText(dialog, 'Mein Weg');
  await expectText(dialog, 'Dein Weg');
  expect(stored()).toMatchObject({ name: 'Dein Weg', revision: 2 });
  await page.getByRole('radio').nth(1).click();
  await page.getByRole('button', { name: i18n.global.t('live.resolve') }).click();
  await expect.element(state()).toHaveTextContent('clean newest');
  expect(stored()).toMatchObject({ name: 'Dein Weg', note: 'new' });
});

test('mine stays where it is chosen', async () => {
  const { change, stored } = show();
  await field('name').fill('Mein Weg');
  change({ name: 'Dein Weg' }, false);
  await save();
  await page.getByRole('button', { name: i18n.global.t('live.resolve') }).click();
  await expect.element(state()).toHaveTextContent('clean newest');
  expect(stored()).toMatchObject({ name: 'Mein Weg', revision: 3 });
});

test('typed text is restored after the page was lost, with the revision that it is based on', async () => {
  const first = show();
  await field('name').fill('Kept');
  await expectText(state(), 'dirty');
  (await first.root).unmount();
  const second = show({ _id: 's1', revision: 2, name: 'Ring', note: 'new' });
  await expect.element(field('name')).toHaveValue('Kept');
  await save();
  await expectText(page.getByRole('dialog'), 'Ring');
  expect(second.stored().revision).toBe(2);
});

test('text typed during saving stays, and is saved next', async () => {
  const { hold, requests, stored } = show();
  const answer = hold();
  await field('name').fill('Ring');
  await save();
  await expect.poll(() => requests.length).toBe(1);
  await field('name').fill('Ringstraße');
  await field('note').fill('new');
  answer();
  await expect.poll(() => stored().name).toBe('Ring');
  await expect.element(state()).toHaveTextContent('dirty newest');
  await expect.element(field('name')).toHaveValue('Ringstraße');
  await save();
  await expect.element(state()).toHaveTextContent('clean newest');
  expect(stored()).toMatchObject({ name: 'Ringstraße', note: 'new', revision: 3 });
  expect(requests.map(({ revision }) => revision)).toEqual([1, 2]);
});

test('half-typed JSON holds back what would be saved without it, and what others change over it', async () => {
  const { change, requests } = show();
  const json = page.getByRole('textbox', { name: 'json' });
  await json.fill('{"url": ');
  await expect.element(state()).toHaveTextContent('dirty newest');
  await save();
  change({ name: 'Ring' }, true);
  await expect.element(state()).toHaveTextContent('dirty outdated');
  expect(requests).toEqual([]);
  await json.fill('{"url": 1}');
  await expect.element(state()).toHaveTextContent('clean newest');
  await expect.element(field('name')).toHaveValue('Ring');
});
