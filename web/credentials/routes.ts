import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'credentials',
    name: 'credentials',
    meta: { title: 'credentials.title', place: 'settings' },
    component: () => import('./CredentialsPage.vue'),
  },
];

export const userRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'me/logins',
    name: 'login-credentials',
    meta: { title: 'credentials.logins', place: 'profile' },
    component: () => import('./LoginsPage.vue'),
  },
];
