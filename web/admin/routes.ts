import type { RouteRecordRaw } from 'vue-router';

export const adminRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'users',
    name: 'admin-users',
    meta: { title: 'shell.places.admin-users' },
    component: () => import('./AdminUsersPage.vue'),
  },
  {
    path: 'roles',
    name: 'admin-roles',
    meta: { title: 'shell.places.admin-roles' },
    component: () => import('./AdminRolesPage.vue'),
  },
  {
    path: 'audit',
    name: 'admin-audit',
    meta: { title: 'shell.places.admin-audit' },
    component: () => import('./AdminAuditPage.vue'),
  },
  {
    path: 'jobs',
    name: 'admin-jobs',
    meta: { title: 'shell.places.admin-jobs' },
    component: () => import('./AdminJobsPage.vue'),
  },
  {
    path: 'tasks',
    name: 'admin-tasks',
    meta: { title: 'shell.places.admin-tasks' },
    component: () => import('./AdminTasksPage.vue'),
  },
  {
    path: 'runners',
    name: 'admin-runners',
    meta: { title: 'shell.places.admin-runners' },
    component: () => import('./AdminRunnersPage.vue'),
  },
  {
    path: 'plugins',
    name: 'admin-plugins',
    meta: { title: 'shell.places.admin-plugins' },
    component: () => import('./AdminPluginsPage.vue'),
  },
  {
    path: 'storage',
    name: 'admin-storage',
    meta: { title: 'shell.places.admin-storage' },
    component: () => import('./AdminStoragePage.vue'),
  },
  {
    path: 'settings',
    name: 'admin-settings',
    meta: { title: 'shell.places.admin-settings' },
    component: () => import('./AdminSettingsPage.vue'),
  },
];
