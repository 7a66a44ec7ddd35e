import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'tasks',
    name: 'tasks',
    meta: { title: 'shell.places.tasks' },
    component: () => import('./TasksPage.vue'),
  },
  {
    path: 'tasks/new',
    name: 'task-new',
    meta: { title: 'tasks.new', place: 'tasks' },
    component: () => import('./NewTaskPage.vue'),
  },
  {
    path: 'tasks/:taskId',
    name: 'task',
    meta: { title: 'shell.places.tasks', place: 'tasks' },
    component: () => import('./TaskPage.vue'),
  },
];
