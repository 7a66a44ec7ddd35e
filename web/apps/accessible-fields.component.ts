import { PiniaColada } from '@pinia/colada';
import { toolNames } from '@platen/contract/tools';
import type { User } from '@platen/contract/users';
import { createPinia } from 'pinia';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h, ref, type Component, type VNode } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { user } from '../api/session.ts';
import BaseMapsField from '../base-maps/BaseMapsField.vue';
import { provideModuleEditor } from '../modules/editor/use-module-editor.ts';
import LegendField from '../modules/forms/LegendField.vue';
import SearchField from '../modules/forms/SearchField.vue';
import TimeField from '../modules/forms/TimeField.vue';
import BatchResult from '../objects/BatchResult.vue';
import { requireAccessible } from '../page/testing-accessible.ts';
import PicturePane from '../preview/PicturePane.vue';
import ConfirmPlace from '../quick-publish/ConfirmPlace.vue';
import QuickPublishDialog from '../quick-publish/QuickPublishDialog.vue';
import ImportDialog from '../style-files/ImportDialog.vue';
import ToolsField from './ToolsField.vue';
import '../main.css';

const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const field = (name: string, type: string, values: unknown[]) => ({ name, type, count: 9, values });
const layer = { type: 'VectorTileLayer', name: 'trees', datasourceId: 'd', properties: { searchBy: 'name' } };
const wall = {
  key: 'wall.obj',
  size: 100,
  format: 'obj',
  kind: 'mesh',
  layers: [
    {
      name: 'wall',
      geometryTypes: [],
      fields: [],
      isEstimated: false,
      isBboxEstimated: false,
      details: { localBounds: [-1, 0, 0, 1, 0, 2] },
    },
  ],
  issues: [{ code: 'noPlace', message: 'm', count: 1 }],
  uses: [],
};
const list = (items: unknown[]) => ({ items, limit: 25, page: 0, totalCount: items.length, totalPages: 1 });

/** What the service answers, by the end of the path. */
const answers: Readonly<Record<string, unknown>> = {
  '/map-versions': {
    items: [
      {
        version: '6.3.11',
        tools: toolNames,
        toolPackages: [{ tool: 'print', name: '@vcmap/print', version: '4.0.3', license: 'MIT' }],
      },
    ],
  },
  '/module-preview': { engineVersion: '6.3.11', findings: [] },
  '/base-maps': {
    items: [
      { id: 'city', from: 'project', name: 'City', type: 'xyz' },
      { id: 'world-light', from: 'world', type: 'world' },
      { id: 'world-names', from: 'world', type: 'world' },
    ],
  },
  '/module/m': { _id: 'm', projectId: 'p', name: 'M', revision: 1, layers: [layer] },
  '/datasource/d': {
    _id: 'd',
    type: 'vectortiles',
    properties: {
      fields: [
        field('name', 'string', ['Oak']),
        field('planted', 'string', ['2020-01-01']),
        field('felled', 'string', ['2024-01-01']),
      ],
    },
  },
  '/names.json': { isCut: true, names: 'Oak\t1\t2\nElm\t1\t3' },
  '/inspect': wall,
};

function answer(address: string): Response {
  const { pathname } = new URL(address, location.href);
  if (pathname.startsWith('/basemap/')) return new Response('', { status: 404 });
  const found = Object.entries(answers).find(([end]) => pathname.endsWith(end));
  return Response.json(found ? found[1] : list([]));
}

async function plugins() {
  globalThis.fetch = async (input) => answer(new Request(input).url);
  user.value = { _id: 'u', isSuperUser: true } as User;
  const component = defineComponent(() => () => null);
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [{ path: '/p/:projectId/modules/:moduleId', name: 'module', component }],
  });
  await router.push('/p/p/modules/m');
  return [createPinia(), PiniaColada, router];
}

/** A field of a form with a value of its own. */
const filled = (component: Component, value: unknown, props: object = {}) => {
  const model = ref(value);
  return () =>
    h(component, {
      modelValue: model.value,
      'onUpdate:modelValue': (to: unknown) => (model.value = to),
      ...props,
    });
};

/** In the editor of a module whose first layer is selected. */
const ofLayer = (component: Component, value: unknown) => {
  const content = filled(component, value, { label: 'Field' });
  const Host = defineComponent(() => {
    const editor = provideModuleEditor('m');
    return () => {
      if (editor.selected.value === '' && editor.content.value['layers']) editor.selectItem('layers', 0);
      return content();
    };
  });
  return () => h(Host);
};

const time = { attribute: 'planted', until: 'felled', from: '2020', to: '2024', step: 'year' };
const style = { colour: { type: 'single', colour: '#0e6b78' } } as const;
const read = {
  file: 'trees.sld',
  styles: [
    { name: 'a', shape: 'point', style, notes: [] },
    { name: 'b', shape: 'line', style, notes: [] },
  ],
};
const legend = [{ type: 'StyleLegendItem', rows: [] }];
const app = { projectId: 'p', moduleIds: [], mapVersion: '^6.3' };

const forms: Readonly<Record<string, readonly [form: () => VNode, controls: number, awaited?: string]>> = {
  'the tools of an app': [filled(ToolsField, ['print'], app), toolNames.length, '@vcmap/print 4.0.3 · MIT'],
  'the gallery of base maps': [
    filled(BaseMapsField, ['world-light', 'city'], { projectId: 'p' }),
    5,
    'World, light',
  ],
  'the import of a style': [
    () => h(ImportDialog, { read, shape: 'point', attributes: [] } as never),
    3,
    'Everything in the file can be taken over.',
  ],
  'a guess without a place': [
    filled(ConfirmPlace, false, { place: { crs: 'EPSG:2056', bounds: undefined } }),
    1,
    'The data is in EPSG:2056',
  ],
  'the publication of what has no place': [
    () =>
      h(QuickPublishDialog, {
        open: true,
        projectId: 'p',
        file: { dataBucketId: 'b', dataBucketKey: 'wall.obj' },
      }),
    8,
    'Where does it stand?',
  ],
  'the time of a layer': [ofLayer(TimeField, time), 5],
  'the search of a layer': [
    ofLayer(SearchField, 'name'),
    1,
    'The list is incomplete: only 2 names are searched.',
  ],
  'the legend of a layer': [ofLayer(LegendField, legend), 1],
  'the picture of a file': [
    () => h(PicturePane, { url: picture, name: 'wall.obj', hasPlace: true }, () => h('p', 'its extent')),
    2,
  ],
  'files uploaded together': [
    () =>
      h(BatchResult, {
        files: [
          { key: 'in/b.tif', inspection: { facts: { layers: 1, problems: 2 }, summary: '' } },
          { key: 'in/a.csv', inspection: { facts: { layers: 1 }, summary: '' } },
        ],
      } as never),
    3,
    '2 files inspected · 1 needs attention',
  ],
};
const areas = [
  'first',
  'apps',
  'base-maps',
  'file-issues',
  'inspect',
  'map',
  'map-styles',
  'modules',
  'objects',
  'pickers',
  'preview',
  'quick-publish',
  'style-files',
  'ui',
];

for (const [name, [form, controls, awaited]] of Object.entries(forms))
  test(`${name}: axe finds nothing, the keyboard reaches everything`, async () =>
    requireAccessible(form, { areas, plugins: await plugins(), controls, awaited }));

test('a picture is exchanged with the extent', async () => {
  await requireAccessible(
    () => h(PicturePane, { url: picture, name: 'wall.obj', hasPlace: true }, () => h('p', 'its extent')),
    { areas, controls: 2 },
  );
  await expect.element(page.getByAltText('Picture of wall.obj')).toBeVisible();
  await page.getByRole('button', { name: 'Extent' }).click();
  await expect.element(page.getByText('its extent')).toBeVisible();
});
