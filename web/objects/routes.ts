import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'files',
    name: 'files',
    meta: { title: 'shell.places.files' },
    component: () => import('./FilesPage.vue'),
  },
  {
    path: 'files/trash',
    name: 'files-trash',
    meta: { title: 'objects.trash.title', place: 'files' },
    component: () => import('./TrashPage.vue'),
  },
];
