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
    /** The key of the page's title. */
    title?: string;
    /** Whether visitors can open it without signing in. */
    isPublic?: true;
    /** The navigation entry to highlight, if it is not the route's own. */
    place?: string;
    /** Whether it fills the window, as an editor does. */
    isFull?: true;
  }
}

/** The routes that an area adds in its `routes.ts`: below `/p/:projectId/`, below `/admin/`, and at the top level. */
interface AreaRoutes {
  readonly projectRoutes?: readonly RouteRecordRaw[];
  readonly adminRoutes?: readonly RouteRecordRaw[];
  readonly userRoutes?: readonly RouteRecordRaw[];
  readonly publicRoutes?: readonly RouteRecordRaw[];
}

const areas = Object.values(import.meta.glob<AreaRoutes>('./*/routes.ts', { eager: true }));
const routesOf = (part: keyof AreaRoutes) => areas.flatMap((area) => area[part] ?? []);

export function createAppRouter(): Router {
  const router = createRouter({
    history: createWebHistory(),
    scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
    routes: [
      ...routesOf('publicRoutes'),
      {
        path: '/',
        component: () => import('./shell/AppShell.vue'),
        children: [
          ...routesOf('userRoutes'),
          {
            path: 'p/:projectId',
            component: () => import('./project/ProjectFrame.vue'),
            children: [{ path: '', redirect: { name: 'overview' } }, ...routesOf('projectRoutes')],
          },
          {
            path: 'admin',
            children: [{ path: '', redirect: { name: 'admin-users' } }, ...routesOf('adminRoutes')],
          },
          { path: ':rest(.*)*', name: 'missing', component: () => import('./page/MissingPage.vue') },
        ],
      },
    ],
  });
  router.beforeEach(async (to) => {
    if (!user.value && mayHaveSession && !hasLoadedUser) {
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

/** The first page for visitors: the public maps if the service lists them, else the login. */
async function entrance(): Promise<{ name: string }> {
  const service = await api.getService().catch(() => undefined);
  return { name: service?.listsPublicApps ? 'maps' : 'login' };
}

let hasLoadedUser = false;

async function findUser(): Promise<void> {
  hasLoadedUser = true;
  user.value = await api.getUserWhoami().catch(() => undefined);
}

/** Loads a page's components in parallel to something else. */
function loadPage({ matched }: RouteLocationNormalized): void {
  for (const { components } of matched) {
    const load = components?.['default'];
    // a failure here occurs again, and is reported, when the page opens
    if (typeof load === 'function') void (load as () => Promise<unknown>)().catch(() => {});
  }
}

/** Moves the focus to the new page, so that screen readers start reading there. */
async function focusHeading(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  if (document.activeElement === document.body || document.activeElement === null) {
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
}
