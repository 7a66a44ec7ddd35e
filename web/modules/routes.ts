import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'modules',
    name: 'modules',
    meta: { title: 'shell.places.modules' },
    component: () => import('./ModulesPage.vue'),
  },
  {
    path: 'modules/:moduleId',
    name: 'module',
    meta: { title: 'shell.places.modules', place: 'modules', isFull: true },
    component: () => import('./ModulePage.vue'),
  },
];
