import type { RouteRecordRaw } from 'vue-router';

export const userRoutes: readonly RouteRecordRaw[] = [
  {
    path: '',
    name: 'projects',
    meta: { title: 'shell.places.projects' },
    component: () => import('./ProjectsPage.vue'),
  },
];
