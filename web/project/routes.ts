import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'overview',
    name: 'overview',
    meta: { title: 'shell.places.overview' },
    component: () => import('./OverviewPage.vue'),
  },
];
