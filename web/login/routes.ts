import type { RouteRecordRaw } from 'vue-router';

export const publicRoutes: readonly RouteRecordRaw[] = [
  {
    path: '/login',
    name: 'login',
    meta: { title: 'login.title', isPublic: true },
    component: () => import('./LoginPage.vue'),
  },
];
