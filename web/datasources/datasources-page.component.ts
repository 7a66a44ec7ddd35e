import { PiniaColada } from '@pinia/colada';
import type { User } from '@platen/contract/users';
import { createPinia } from 'pinia';
import { TooltipProvider } from 'reka-ui';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-vue';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';
import { createMemoryHistory, createRouter, RouterView } from 'vue-router';
import { user } from '../api/session.ts';
import { i18n } from '../i18n/i18n.ts';
import { words } from '../i18n/words.ts';
import DatasourcesPage from './DatasourcesPage.vue';

const rows = Array.from({ length: 25 }, (_, at) => ({
  _id: `d${at}`,
  projectId: 'p',
  name: `Data ${at}`,
  type: 'geojson',
  sourceProperties: { type: 'internal', dataBucketId: 'b', dataBucketKey: 'a.json' },
  dataRevision: 1,
  updatedAt: '2026-01-01T00:00:00.000Z',
  isPublic: at === 0,
  numberOfUses: 1234,
  isFileMissing: at === 1,
}));

test('a page of datasources gets the details of all its rows in one request', async () => {
  await words(['first']);
  const requests: string[] = [];
  globalThis.fetch = async (input) => {
    const { pathname, search } = new URL(new Request(input).url);
    requests.push(pathname.replace('/api/v1/project/p/', '') + search);
    const isSummary = pathname.endsWith('/summary');
    const list = { items: rows, limit: 25, page: 0, totalCount: 25, totalPages: 1 };
    return Response.json(isSummary ? { numberOfItems: 25, types: [{ _id: 'geojson', count: 25 }] } : list);
  };
  user.value = { _id: 'u', isSuperUser: true } as User;
  const routes = [
    { path: '/p/:projectId/datasources', component: DatasourcesPage },
    { path: '/p/:projectId/datasources/:datasourceId', name: 'datasource', component: DatasourcesPage },
  ];
  const router = createRouter({ history: createMemoryHistory(), routes });
  await router.push('/p/p/datasources');
  const view = () => h(TooltipProvider, () => h(RouterView));
  await page.viewport(1400, 900);
  render(
    defineComponent(() => view),
    { global: { plugins: [i18n, createPinia(), PiniaColada, router] } },
  );
  await expect.element(page.getByRole('link', { name: 'Data 24' })).toBeInTheDocument();
  const row = (name: string) => page.getByRole('row').filter({ hasText: name }).first().element().textContent;
  expect(row('Data 0')).toContain(i18n.global.t('datasources.publicData'));
  expect(row('Data 0')).toContain('1,234');
  expect(row('Data 1')).toContain(i18n.global.t('datasources.broken'));
  expect(row('Data 24')).toContain(i18n.global.t('datasources.privateData'));
  expect(requests.length).toBe(2);
  expect(requests.filter((one) => one.includes('details=true')).length).toBe(1);
});
