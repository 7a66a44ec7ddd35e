import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'settings',
    name: 'settings',
    meta: { title: 'shell.places.settings' },
    component: () => import('./SettingsPage.vue'),
  },
];
