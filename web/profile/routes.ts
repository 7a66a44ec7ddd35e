import type { RouteRecordRaw } from 'vue-router';

export const userRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'me',
    name: 'profile',
    meta: { title: 'shell.places.profile' },
    component: () => import('./ProfilePage.vue'),
  },
];
