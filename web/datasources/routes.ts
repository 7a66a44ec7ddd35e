import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'datasources',
    name: 'datasources',
    meta: { title: 'shell.places.datasources' },
    component: () => import('./DatasourcesPage.vue'),
  },
  {
    path: 'datasources/:datasourceId',
    name: 'datasource',
    meta: { title: 'shell.places.datasources', place: 'datasources' },
    component: () => import('./DatasourcePage.vue'),
  },
];
