import type { RouteRecordRaw } from 'vue-router';

export const publicRoutes: readonly RouteRecordRaw[] = [
  {
    path: '/login',
    name: 'login',
    meta: { title: 'login.title', isPublic: true },
    component: () => import('./LoginPage.vue'),
  },
  {
    path: '/reset-password',
    name: 'reset-password',
    meta: { title: 'login.resetTitle', isPublic: true },
    component: () => import('./ResetPasswordPage.vue'),
  },
];
