import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'apps',
    name: 'apps',
    meta: { title: 'shell.places.apps' },
    component: () => import('./AppsPage.vue'),
  },
  {
    path: 'apps/:appId',
    name: 'app',
    meta: { title: 'shell.places.apps', place: 'apps' },
    component: () => import('./AppPage.vue'),
  },
];
