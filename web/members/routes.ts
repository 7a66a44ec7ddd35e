import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'members',
    name: 'members',
    meta: { title: 'shell.places.members' },
    component: () => import('./MembersPage.vue'),
  },
];
