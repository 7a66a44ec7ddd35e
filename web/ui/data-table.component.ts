import { expect, test } from 'vitest';
import { render } from 'vitest-browser-vue';
import { page, userEvent } from 'vitest/browser';
import { h } from 'vue';
import { i18n } from '../i18n/i18n.ts';
import { words } from '../i18n/words.ts';
import DataTable from './DataTable.vue';
import '../main.css';

interface City {
  readonly id: string;
  readonly name: string;
}

const rows: readonly City[] = ['Aue', 'Berka', 'Celle'].map((name) => ({ id: name, name }));

async function show(props: Record<string, unknown> = {}) {
  await words(['first']);
  return render(DataTable, {
    props: {
      columns: [{ key: 'name', label: 'Name', isSortable: true }],
      rows,
      rowKey: (row: unknown) => (row as City).id,
      caption: 'Cities',
      ...props,
    },
    slots: {
      'cell-name': ({ row }: { row: unknown }) => h('button', { type: 'button' }, (row as City).name),
    },
    global: { plugins: [i18n] },
  });
}

test('arrows walk through the rows, and stay at the ends', async () => {
  await show();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  (button('Aue').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.element(button('Celle')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(button('Celle')).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(button('Berka')).toHaveFocus();
});

test('a heading sorts, reverses on the next click, and announces it', async () => {
  const emitted: unknown[] = [];
  const { rerender } = await show({ 'onUpdate:sorting': (sorting: unknown) => emitted.push(sorting) });
  const heading = page.getByRole('columnheader');
  await expect.element(heading).toHaveAttribute('aria-sort', 'none');
  await page.getByRole('button', { name: 'Name' }).click();
  expect(emitted).toEqual([{ by: 'name', direction: 'asc' }]);
  await rerender({ sorting: { by: 'name', direction: 'asc' } } as never);
  await expect.element(heading).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('button', { name: 'Name' }).click();
  expect(emitted[1]).toEqual({ by: 'name', direction: 'desc' });
});

test('a click on a row outside its controls opens it, one on them does not', async () => {
  const opened: unknown[] = [];
  await show({ onOpen: (row: unknown) => opened.push(row) });
  await page.getByRole('button', { name: 'Berka' }).click();
  expect(opened).toEqual([]);
  await page.getByRole('row', { name: 'Celle' }).click({ position: { x: 300, y: 10 } });
  expect(opened).toEqual([rows[2]]);
});
