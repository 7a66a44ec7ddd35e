import type { RouteRecordRaw } from 'vue-router';

export const publicRoutes: readonly RouteRecordRaw[] = [
  {
    path: '/maps',
    name: 'maps',
    meta: { title: 'public-apps.title', isPublic: true },
    component: () => import('./PublicAppsPage.vue'),
  },
];
