import {
  createRouter,
  createWebHistory,
  type RouteLocationNormalized,
  type RouteRecordRaw,
  type Router,
} from 'vue-router';
import { api } from './api/api.ts';
import { mayHaveSession, user } from './api/session.ts';
import { i18n } from './i18n/i18n.ts';

declare module 'vue-router' {
  interface RouteMeta {
    /** The words of the page's title. */
    title?: string;
    /** Seen by visitors who are not signed in. */
    isPublic?: true;
    /** Which place of the navigation stands for it, when that is not the route itself. */
    place?: string;
    /** As wide and high as the window has room for: an editor. */
    isFull?: true;
  }
}

/** What each area adds, in its `routes.ts`: below `/p/:projectId/`, below `/admin/`, and beside them. */
interface AreaRoutes {
  readonly projectRoutes?: readonly RouteRecordRaw[];
  readonly adminRoutes?: readonly RouteRecordRaw[];
  readonly userRoutes?: readonly RouteRecordRaw[];
  readonly publicRoutes?: readonly RouteRecordRaw[];
}

const areas = Object.values(import.meta.glob<AreaRoutes>('./*/routes.ts', { eager: true }));
const of = (part: keyof AreaRoutes) => areas.flatMap((area) => area[part] ?? []);

export function createAppRouter(): Router {
  const router = createRouter({
    history: createWebHistory(),
    scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
    routes: [
      ...of('publicRoutes'),
      {
        path: '/',
        component: () => import('./shell/AppShell.vue'),
        children: [
          ...of('userRoutes'),
          {
            path: 'p/:projectId',
            component: () => import('./project/ProjectFrame.vue'),
            children: [{ path: '', redirect: { name: 'overview' } }, ...of('projectRoutes')],
          },
          {
            path: 'admin',
            children: [{ path: '', redirect: { name: 'admin-users' } }, ...of('adminRoutes')],
          },
          { path: ':rest(.*)*', name: 'missing', component: () => import('./page/MissingPage.vue') },
        ],
      },
    ],
  });
  router.beforeEach(async (to) => {
    if (!user.value && mayHaveSession && !hasAsked) {
      loadPage(to);
      await findUser();
    }
    if (to.meta.isPublic) return true;
    if (!user.value)
      return to.path === '/' ? await entrance() : { name: 'login', query: { to: to.fullPath } };
    return true;
  });
  router.afterEach((to, from) => {
    document.title = to.meta.title === undefined ? 'Platen' : `${i18n.global.t(to.meta.title)} · Platen`;
    if (to.path !== from.path && from.matched.length > 0) void focusHeading();
  });
  return router;
}

/** Where visitors who are not signed in come to: the public maps, where the service lists them. */
async function entrance(): Promise<{ name: string }> {
  const service = await api.getService().catch(() => undefined);
  return { name: service?.listsPublicApps ? 'maps' : 'login' };
}

let hasAsked = false;

async function findUser(): Promise<void> {
  hasAsked = true;
  user.value = await api.getUserWhoami().catch(() => undefined);
}

/** The parts of a page come while something else is waited for. */
function loadPage({ matched }: RouteLocationNormalized): void {
  for (const { components } of matched) {
    const load = components?.['default'];
    // what fails here fails again, and is told, when the page is shown
    if (typeof load === 'function') void (load as () => Promise<unknown>)().catch(() => {});
  }
}

/** So that a screen reader goes on where the new page begins. */
async function focusHeading(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  if (document.activeElement === document.body || document.activeElement === null) {
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
}
