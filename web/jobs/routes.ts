import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'jobs',
    name: 'jobs',
    meta: { title: 'shell.places.jobs' },
    component: () => import('./JobsPage.vue'),
  },
  {
    path: 'jobs/:jobId',
    name: 'job',
    meta: { title: 'shell.places.jobs', place: 'jobs' },
    component: () => import('./JobPage.vue'),
  },
];
