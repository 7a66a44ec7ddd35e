// Runs in the browser: starts VC Map for the app that the page names. Sent with its types stripped, see start-script.ts.
// The page's <base> points at the engine's folder; its meta elements carry what differs between apps.

interface VcsUiApp {
  locale: string;
  readonly maps: { readonly size: number };
}

interface VcsGlobal {
  workerBase?: string;
  getFirstApp?(): VcsUiApp | undefined;
}

interface EngineModule {
  initAppFromAppConfig(mountTarget: string, appUrl: string): Promise<unknown>;
}

const messages = {
  en: {
    missing: ['This map is not here', 'It does not exist, or it is not public.'],
    denied: ['This map is not public', 'Sign in, or ask its owner for access.'],
    failed: ['This map could not be loaded', 'Check the connection and try again.'],
    empty: ['There is nothing to see yet', 'No module of this app has a map.'],
    retry: 'Try again',
  },
  de: {
    missing: ['Diese Karte gibt es hier nicht', 'Sie existiert nicht oder ist nicht öffentlich.'],
    denied: ['Diese Karte ist nicht öffentlich', 'Melden Sie sich an oder bitten Sie um Zugang.'],
    failed: [
      'Diese Karte konnte nicht geladen werden',
      'Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    ],
    empty: ['Hier ist noch nichts zu sehen', 'Kein Modul dieser App enthält eine Karte.'],
    retry: 'Erneut versuchen',
  },
} as const;

type Reason = 'missing' | 'denied' | 'failed' | 'empty';

class StartFailure extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, cause?: unknown) {
    super(`The app did not start: ${reason}`, { cause });
    this.reason = reason;
  }
}

function pageValue(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="platen:${name}"]`)?.content;
}

function show(reason: Reason): void {
  const language = (pageValue('locale') ?? navigator.language).startsWith('de') ? 'de' : 'en';
  const [heading, advice] = messages[language][reason];
  const panel = document.querySelector<HTMLElement>('#failure');
  if (panel === null) return;
  const headingElement = document.createElement('h1');
  headingElement.textContent = heading;
  const adviceElement = document.createElement('p');
  adviceElement.textContent = advice;
  const retry = document.createElement('button');
  retry.type = 'button';
  retry.textContent = messages[language].retry;
  retry.addEventListener('click', () => location.reload());
  panel.replaceChildren(headingElement, adviceElement, retry);
  panel.hidden = false;
}

async function fetchConfig(address: string): Promise<Blob> {
  const response = await fetch(address);
  if (response.status === 404 || response.status === 410) throw new StartFailure('missing');
  if (response.status === 401 || response.status === 403) throw new StartFailure('denied');
  if (!response.ok) throw new StartFailure('failed');
  const text = await response.text();
  const config = JSON.parse(text) as { modules?: unknown };
  if (!Array.isArray(config.modules)) throw new StartFailure('failed');
  return new Blob([text], { type: 'application/json' });
}

async function importEngine(): Promise<EngineModule> {
  // vue-i18n would otherwise compile messages with new Function, which the page's policy forbids.
  Object.assign(globalThis, { __INTLIFY_JIT_COMPILATION__: true });
  const address = new URL('assets/ui.js', document.baseURI).href;
  return (await import(address)) as EngineModule;
}

async function start(): Promise<void> {
  const address = pageValue('config');
  if (address === undefined) throw new StartFailure('failed');
  // Both at once, and before the engine takes the page: a config that fails must not leave an empty interface behind.
  const [config, engine] = await Promise.all([fetchConfig(address), importEngine()]);
  const { vcs = {} } = globalThis as { vcs?: VcsGlobal };
  vcs.workerBase = './assets/core-workers/';
  const configCopy = URL.createObjectURL(config);
  try {
    await engine.initAppFromAppConfig('#app', configCopy);
  } finally {
    URL.revokeObjectURL(configCopy);
  }
  const app = vcs.getFirstApp?.();
  const locale = pageValue('locale');
  if (app !== undefined && locale !== undefined) app.locale = locale;
  if (app?.maps.size === 0) throw new StartFailure('empty');
}

try {
  await start();
} catch (error) {
  reportError(error);
  show(error instanceof StartFailure ? error.reason : 'failed');
}
