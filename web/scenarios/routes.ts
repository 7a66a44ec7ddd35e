import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: readonly RouteRecordRaw[] = [
  {
    path: 'scenarios',
    name: 'scenarios',
    meta: { title: 'shell.places.scenarios' },
    component: () => import('./ScenariosPage.vue'),
  },
  {
    path: 'scenarios/:scenarioId',
    name: 'scenario',
    meta: { title: 'shell.places.scenarios', place: 'scenarios' },
    component: () => import('./ScenarioPage.vue'),
  },
];
