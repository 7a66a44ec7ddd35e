// Runs in the browser: starts VC Map for the app that the page names. Sent with its types stripped, see start-script.ts.
// The page's <base> points at the engine's folder; its meta elements carry what differs between apps.

import { openArchives, readArchiveTiles, type ArchiveCore } from './archive-tiles.ts';
import { calmMaps, calmModule, titleModule, type CalmApp } from './calm-maps.ts';
import { showCards, type CardsApp } from './cards.ts';
import { declutterLabels, type LabelApp, type LabelCesium, type LabelCore } from './declutter-labels.ts';
import { hideDrapedNames, type DrapedApp } from './draped-names.ts';
import { hideFarSide, type FarSideApp, type FarSideCesium } from './far-side.ts';
import { addFeatureSearch, type FeatureSearchApp } from './feature-search.ts';
import { guardLayers, type LayerType } from './guard-layers.ts';
import { improveStyles, type StyleApp, type StyleCesium, type StyleCore } from './improve-styles.ts';
import { addPlaceSearch, type SearchApp, type SearchCore } from './place-search.ts';
import { placeTiles, type TileCore } from './place-tiles.ts';
import { coverMap, type PosterApp } from './poster.ts';
import { shadeRelief, type ReliefApp, type ReliefCesium } from './relief-shading.ts';
import { storyOf, startStory, type StoryApp } from './story.ts';
import { limitOverzoom, type OverzoomCore } from './overzoom.ts';
import { passLocale, type LocaleCore } from './tile-locale.ts';
import { addTimeSlider, type EndSlider, type TimeApp } from './time-slider.ts';
import { watchBaseMaps, type BaseMapLayers } from './watch-base-maps.ts';

interface VcsUiApp {
  locale: string;
  readonly layers: BaseMapLayers &
    DrapedApp['layers'] &
    PosterApp['layers'] &
    LabelApp['layers'] &
    StyleApp['layers'] &
    StoryApp['layers'] &
    TimeApp['layers'] &
    FeatureSearchApp['layers'] &
    ReliefApp['layers'];
  readonly featureInfo: CardsApp['featureInfo'] & FeatureSearchApp['featureInfo'];
  readonly search: SearchApp['search'] & FeatureSearchApp['search'];
  readonly maps: { readonly size: number } & CalmApp['maps'] &
    DrapedApp['maps'] &
    FarSideApp['maps'] &
    LabelApp['maps'] &
    StyleApp['maps'] &
    PosterApp['maps'] &
    ReliefApp['maps'] &
    SearchApp['maps'] &
    StoryApp['maps'];
  readonly displayQuality?: NonNullable<CalmApp['displayQuality']>;
  readonly navbarManager?: NonNullable<CalmApp['navbarManager']>;
  readonly notifier?: { add(notification: { type: 'warning'; message: string; timeout: number }): void };
  /** Engine 5 only: once rejected, all later modules fail. */
  _moduleMutationPromise?: Promise<void>;
  addModule(module: object): Promise<void>;
}

/** Globals that the engine reads. */
interface EngineGlobals {
  vcs?: { workerBase?: string; getFirstApp?: () => VcsUiApp | undefined };
  VcsPluginLoaderFunction?(name: string, address: string): Promise<unknown>;
}

interface Engine {
  readonly initApp: (mountTarget: string) => Promise<VcsUiApp>;
  readonly core: ArchiveCore &
    TileCore &
    StyleCore &
    LabelCore &
    LocaleCore &
    OverzoomCore &
    SearchCore & { readonly VcsModule: new (config: object) => object; readonly Layer: LayerType };
  readonly cesium: FarSideCesium & LabelCesium & StyleCesium & ReliefCesium;
  /** Engine 5. */
  readonly isOld: boolean;
}

/** The exports of preview.ts, which declares the engine parts it needs itself. */
interface Preview {
  readonly followParent: (
    app: VcsUiApp,
    core: Engine['core'],
    prepare: (modules: readonly Record<string, unknown>[]) => Promise<Record<string, unknown>[]>,
    afterwards: (modules: readonly Record<string, unknown>[]) => void,
  ) => void;
}

/** A component of Vue 2, which engine 5 uses. */
interface Component {
  $options: { template?: string; render?: (create: CreateElement) => unknown };
  src?: string;
  title?: string;
}
type CreateElement = (tag: string, data: object) => unknown;

const globals = globalThis as EngineGlobals;

const messages = {
  en: {
    missing: ['Map not found', 'The map does not exist or is not public.'],
    denied: ['This map is not public', 'Sign in, or ask the owner of the map for access.'],
    failed: ['This map could not be loaded', 'Check your connection and try again.'],
    broken: ['This map could not be started', 'The map viewer reports:'],
    empty: ['This map is empty', 'None of its modules contains a map.'],
    leftOut: 'This map viewer cannot show the layer “{name}”, which is left out:',
    incomplete: 'A part of this map is missing. The map viewer reports:',
    silent: 'The base map “{name}” does not answer. The map works without it.',
    late: 'The base map “{name}” does not answer in time, or cannot be shown. The map works without it until it is loaded again.',
    retry: 'Try again',
  },
  de: {
    missing: ['Karte nicht gefunden', 'Die Karte existiert nicht oder ist nicht öffentlich.'],
    denied: [
      'Diese Karte ist nicht öffentlich',
      'Melden Sie sich an oder bitten Sie den Eigentümer um Zugriff.',
    ],
    failed: [
      'Diese Karte konnte nicht geladen werden',
      'Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    ],
    broken: ['Diese Karte konnte nicht gestartet werden', 'Der Kartenviewer meldet:'],
    empty: ['Diese Karte ist leer', 'Keines ihrer Module enthält eine Karte.'],
    leftOut: 'Dieser Kartenviewer kann die Ebene „{name}“ nicht anzeigen und lässt sie weg:',
    incomplete: 'Ein Teil dieser Karte fehlt. Der Kartenviewer meldet:',
    silent: 'Die Grundkarte „{name}“ antwortet nicht. Die Karte funktioniert ohne sie.',
    late: 'Die Grundkarte „{name}“ antwortet nicht rechtzeitig oder lässt sich nicht anzeigen. Die Karte funktioniert ohne sie, bis sie neu geladen wird.',
    retry: 'Erneut versuchen',
  },
} as const;

type Reason = 'missing' | 'denied' | 'failed' | 'broken' | 'empty';

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

const texts = () => messages[(pageValue('locale') ?? navigator.language).startsWith('de') ? 'de' : 'en'];

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** @param cause of what is broken; it is not shown otherwise */
function show(reason: Reason, cause?: unknown): void {
  const [heading, advice] = texts()[reason];
  const panel = document.querySelector<HTMLElement>('#failure');
  if (panel === null) return;
  const headingElement = document.createElement('h1');
  headingElement.textContent = heading;
  const adviceElement = document.createElement('p');
  adviceElement.textContent = reason === 'broken' ? `${advice} ${textOf(cause)}` : advice;
  const retry = document.createElement('button');
  retry.type = 'button';
  retry.textContent = texts().retry;
  retry.addEventListener('click', () => location.reload());
  panel.replaceChildren(headingElement, adviceElement, retry);
  panel.hidden = false;
}

async function fetchConfig(address: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(address).catch((error: unknown) => {
    throw new StartFailure('failed', error);
  });
  if (response.status === 404 || response.status === 410) throw new StartFailure('missing');
  if (response.status === 401 || response.status === 403) throw new StartFailure('denied');
  if (!response.ok) throw new StartFailure('failed');
  const config = (await response.json()) as { modules?: unknown };
  if (!Array.isArray(config.modules)) throw new StartFailure('failed');
  return config.modules as Record<string, unknown>[];
}

const engineFile = (path: string) => new URL(path, document.baseURI).href;

async function importEngine(): Promise<Engine> {
  const { eval: evaluate } = globalThis;
  Object.assign(globalThis, {
    // otherwise vue-i18n compiles messages with new Function, which the page's policy forbids
    __INTLIFY_JIT_COMPILATION__: true,
    // protobuf in Cesium up to engine 6.2 probes for Node like this; the violation need not be reported
    eval(code: string): unknown {
      if (code === 'require') throw new EvalError('There is no require.');
      return evaluate(code);
    },
  });
  const [ui, core, cesium] = await Promise.all([
    import(engineFile('assets/ui.js')),
    import(engineFile('assets/core.js')),
    import(engineFile('assets/cesium.js')),
  ]).catch((error: unknown) => {
    // an engine that does not run reports an error of its own
    if (!/dynamically imported|importing a module/i.test(textOf(error))) throw error;
    throw new StartFailure('failed', error);
  });
  globals.vcs ??= {};
  const isOld = globals.vcs.getFirstApp === undefined;
  if (isOld) await patchEngine5();
  if (/\/engines\/(?:5|6\.[0-2])\./.test(document.baseURI)) placeTiles(core);
  return { initApp: ui.initApp, core, cesium, isOld };
}

/**
 * Engine 5 has one template as text, the frame of the feature info, which it would compile with new Function as well.
 */
async function patchEngine5(): Promise<void> {
  const { default: vue } = await import(engineFile('assets/vue.js'));
  vue.mixin({
    beforeCreate(this: Component) {
      const { $options: options } = this;
      if (!/^\s*<iframe\b[^>]*\/>\s*$/.test(options.template ?? '')) return;
      options.render = (create) => create('iframe', { attrs: { src: this.src, title: this.title } });
    },
  });
}

/** Plugins are loaded from the registry of this service only, whatever a module says. */
function loadPlugin(name: string, address: string): Promise<unknown> {
  const { origin, pathname } = new URL(address, location.href);
  const registry = new URL('plugins/', document.baseURI);
  if (origin === registry.origin && pathname.startsWith(registry.pathname)) return import(address);
  throw new Error(`The plugin ${name} is not in the registry: ${address}`);
}

async function openApp({ initApp, core, cesium, isOld }: Engine): Promise<VcsUiApp> {
  globals.VcsPluginLoaderFunction = loadPlugin;
  // otherwise the engine resolves it against the page instead of the base
  globals.vcs!.workerBase = engineFile('assets/core-workers');
  const app = await initApp('#app');
  globals.vcs!.getFirstApp ??= () => app;
  calmMaps(app);
  hideFarSide(app, cesium);
  shadeRelief(app, cesium);
  improveStyles(core, cesium, app);
  declutterLabels(core, cesium, app);
  limitOverzoom(core);
  readArchiveTiles(core);
  if (isOld) hideDrapedNames(app);
  passLocale(core);
  showCards(app);
  guardLayers(core.Layer, (name, error) => {
    warn(app, `${texts().leftOut.replace('{name}', name)} ${textOf(error)}`);
  });
  return app;
}

function warn({ notifier }: VcsUiApp, message: string): void {
  notifier?.add({ type: 'warning', message, timeout: -1 });
}

function setLocale(app: VcsUiApp): void {
  const locale = pageValue('locale');
  if (locale !== undefined) app.locale = locale;
}

async function start(): Promise<void> {
  const address = pageValue('config');
  if (address === undefined) throw new StartFailure('failed');
  // In parallel, and before the engine takes over the page: a failing config must not leave an empty interface behind.
  const late: string[] = [];
  const [modules, engine] = await Promise.all([
    fetchConfig(address).then((read) => openArchives(read, (name) => late.push(name))),
    importEngine(),
  ]);
  const app = await openApp(engine);
  const poster = coverMap(app);
  const places = placesOf(modules);
  if (places !== undefined) addPlaceSearch(app, engine.core, places);
  const errors = await addModules(app, engine, [titleModule(engine.isOld), ...modules.map(calmModule)]);
  setLocale(app);
  if (app.maps.size > 0) {
    poster.removeWhenDrawn();
    for (const name of late) warn(app, texts().late.replace('{name}', name));
    watchBaseMaps(app.layers, modules, (name) => warn(app, texts().silent.replace('{name}', name)));
    const story = storyOf(modules);
    if (story !== undefined) startStory(app, engine.core, story);
    addTimeSlider(app, modules);
    addFeatureSearch(app, engine.core, modules);
    if (errors.length > 0) warn(app, `${texts().incomplete} ${textOf(errors[0])}`);
    return;
  }
  poster.remove();
  throw errors.length > 0 ? errors[0] : new StartFailure('empty');
}

/** Address of the towns to search for, where the app has the search. */
function placesOf(modules: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const tools = modules.find(({ _id }) => _id === 'platen-tools');
  const { placeSearch } = (tools?.['properties'] ?? {}) as { placeSearch?: unknown };
  return typeof placeSearch === 'string' ? new URL(placeSearch, import.meta.url).href : undefined;
}

/** One after the other. @returns the errors of those that could not be added, or in part only */
async function addModules(
  app: VcsUiApp,
  { core: { VcsModule } }: Engine,
  modules: readonly object[],
): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const module of modules) {
    try {
      await app.addModule(new VcsModule(module));
    } catch (error) {
      errors.push(error);
      if (app._moduleMutationPromise) app._moduleMutationPromise = Promise.resolve();
    }
  }
  return errors;
}

/** Starts an empty map, which the embedding editor fills. */
async function startPreview(script: string): Promise<void> {
  const [preview, engine] = await Promise.all([import(script) as Promise<Preview>, importEngine()]);
  const app = await openApp(engine);
  setLocale(app);
  const prepare = async (modules: readonly Record<string, unknown>[]) =>
    (await openArchives(modules, (name) => warn(app, texts().late.replace('{name}', name)))).map(calmModule);
  let endSearch = () => {};
  let endSlider: EndSlider = () => undefined;
  preview.followParent(app, engine.core, prepare, (modules) => {
    endSearch();
    endSearch = addFeatureSearch(app, engine.core, modules);
    endSlider = addTimeSlider(app, modules, endSlider());
  });
}

try {
  const preview = pageValue('preview');
  await (preview === undefined ? start() : startPreview(preview));
} catch (error) {
  reportError(error);
  if (error instanceof StartFailure) show(error.reason);
  else show('broken', error);
}
