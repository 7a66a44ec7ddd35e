// Runs in the browser next to start.ts, which passes the engine: shows the modules that the embedding page sends, and
// updates the map in place when they change. Sent with its types stripped, see start-script.ts.

import type {
  Core,
  Feature,
  Globe,
  VcsEvent,
  InteractionEvent,
  Layer,
  PreviewApp,
  VcsMap,
  Viewpoint,
} from './preview-engine.ts';

type Config = Readonly<Record<string, unknown>>;

/** A part of a module that can be added to and removed from the map separately. */
interface ConfigPart {
  readonly id: string;
  /** The JSON as sent: parts with equal text look the same. */
  readonly text: string;
}

/** In the order of adding: plugins and texts, maps, contents of maps, user interface. */
type Groups = readonly [ConfigPart[], ConfigPart[], ConfigPart[], ConfigPart[]];

const keysOfPlugins = new Set(['plugins', 'i18n']);
const keysOfInterface = new Set(['contentTree', 'uiConfig', 'featureInfo']);

/**
 * Starts exchanging messages with the embedding page of the same origin. Called by start.ts.
 * @param prepare makes of modules what is shown
 * @param afterwards is called with the modules that the map now shows
 * @public
 */
export function followParent(
  app: PreviewApp,
  core: Core,
  prepare: (modules: readonly Config[]) => Promise<Config[]>,
  afterwards: (modules: readonly Config[]) => void,
): void {
  const send = (message: object) => {
    window.parent.postMessage(message, location.origin);
  };
  const stage = createStage(app, core);
  let waiting: { modules: readonly Config[]; id: unknown } | undefined;
  let working = false;
  /** Only the last message received during its work counts. */
  const show = async (): Promise<void> => {
    if (working) return;
    working = true;
    while (waiting !== undefined) {
      const { modules, id } = waiting;
      waiting = undefined;
      const began = performance.now();
      try {
        const failures = await stage.show(await prepare(modules));
        afterwards(modules);
        for (const message of failures) send({ type: 'failed', message, id });
        send({ type: 'shown', ms: Math.round(performance.now() - began), id });
      } catch (error) {
        send({ type: 'failed', message: textOf(error), id });
      }
    }
    working = false;
  };
  const answer = async (message: Config): Promise<void> => {
    const { type, id } = message;
    if (type === 'show' && Array.isArray(message['modules'])) {
      waiting = { modules: message['modules'] as Config[], id };
      await show();
    } else if (type === 'goto') {
      const viewpoint = new core.Viewpoint({ animate: false, ...(message['viewpoint'] as object) });
      if (!viewpoint.isValid()) throw new Error('This is not a viewpoint.');
      await app.maps.activeMap?.gotoViewpoint(viewpoint);
    } else if (type === 'viewpoint?') {
      const viewpoint = await app.maps.activeMap?.getViewpoint();
      send({ type: 'viewpoint', viewpoint: viewpoint?.toJSON() ?? null, id });
    }
  };
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const isOurs = event.source === window.parent && event.origin === location.origin;
    const message = event.data;
    if (!isOurs || message === null || typeof message !== 'object') return;
    answer(message as Config).catch((error: unknown) => {
      send({ type: 'failed', message: textOf(error), id: (message as Config)['id'] });
    });
  });
  reportLayers(app, (name) => stage.hasLayer(name), send);
  reportClicks(app, core, send);
  throttleFrames(app.maps);
  send({ type: 'ready' });
}

function createStage(app: PreviewApp, core: Core) {
  let shown: Groups = [[], [], [], []];
  let layerNames = new Set<unknown>();

  async function add(piece: ConfigPart, isFirst: boolean): Promise<void> {
    const config = JSON.parse(piece.text) as Record<string, unknown>;
    if (!isFirst) delete config['startingViewpointName'];
    if (!isFirst) delete config['startingObliqueCollectionName'];
    await app.addModule(new core.VcsModule(config));
  }

  /** Resolves with the errors of parts that could not be shown. */
  async function show(modules: readonly Config[]): Promise<string[]> {
    const isFirst = shown.every((pieces) => pieces.length === 0);
    const wanted = groupsOf(modules);
    layerNames = new Set(
      modules.flatMap(({ layers }) => ((layers ?? []) as Config[]).map(({ name }) => name)),
    );
    const kept = wanted.map((pieces, group) => sameAtStart(shown[group]!, pieces));
    const before = await stateOf(app);
    for (const [group, pieces] of [...shown.entries()].toReversed()) {
      for (const { id } of pieces.slice(kept[group]).toReversed()) await app.removeModule(id);
    }
    const failures: string[] = [];
    const now: Groups = [[], [], [], []];
    for (const [group, pieces] of wanted.entries()) {
      now[group]!.push(...pieces.slice(0, kept[group]));
      for (const piece of pieces.slice(kept[group])) {
        try {
          await add(piece, isFirst);
          now[group]!.push(piece);
        } catch (error) {
          failures.push(textOf(error));
          if (app._moduleMutationPromise) app._moduleMutationPromise = Promise.resolve();
        }
      }
    }
    shown = now;
    await restore(app, before);
    return failures;
  }

  return { show, hasLayer: (name: string) => layerNames.has(name) };
}

function groupsOf(modules: readonly Config[]): Groups {
  const groups: Groups = [[], [], [], []];
  const put = (group: 0 | 1 | 2 | 3, config: Config & { readonly _id: string }) => {
    const isEmpty = Object.keys(config).every((key) => key === '_id');
    if (!isEmpty) groups[group].push({ id: config._id, text: JSON.stringify(config) });
  };
  const maps = mapsOf(modules);
  if (maps !== undefined) put(1, maps);
  for (const [index, module] of modules.entries()) {
    const id = typeof module['_id'] === 'string' ? module['_id'] : `module-${index}`;
    const { maps: _maps, startingMapName: _name, ...rest } = module;
    const entries = Object.entries(rest);
    const pick = (keys: ReadonlySet<string>) => Object.fromEntries(entries.filter(([key]) => keys.has(key)));
    const others = entries.filter(([key]) => !keysOfPlugins.has(key) && !keysOfInterface.has(key));
    put(0, { ...pick(keysOfPlugins), _id: `${id}#plugins` });
    put(2, { ...Object.fromEntries(others), _id: id });
    put(3, { ...pick(keysOfInterface), _id: `${id}#interface` });
  }
  return groups;
}

/**
 * All maps; the last one of each name wins. They are a part of their own because recreating them is the slowest step.
 */
function mapsOf(modules: readonly Config[]): (Config & { readonly _id: string }) | undefined {
  const maps = new Map<unknown, Config>();
  let starting: unknown;
  for (const module of modules) {
    for (const map of (module['maps'] ?? []) as Config[]) maps.set(map['name'], map);
    if (module['startingMapName'] !== undefined) starting = module['startingMapName'];
  }
  if (maps.size === 0) return undefined;
  const startingMapName = maps.has(starting) ? { startingMapName: starting } : {};
  return { _id: 'platen-preview-maps', maps: [...maps.values()], ...startingMapName };
}

/** Number of parts that can stay; later ones override earlier ones, so all after a change are added again. */
function sameAtStart(old: readonly ConfigPart[], wanted: readonly ConfigPart[]): number {
  const different = wanted.findIndex(({ id, text }, at) => old[at]?.id !== id || old[at].text !== text);
  return different === -1 ? wanted.length : different;
}

interface State {
  readonly map: VcsMap | undefined;
  readonly viewpoint: Viewpoint | undefined;
  readonly layers: ReadonlyMap<string, { layer: Layer; isActive: boolean; wasOnAtStart: boolean }>;
}

async function stateOf({ maps, layers }: PreviewApp): Promise<State> {
  const map = maps.activeMap ?? undefined;
  const states = Array.from(layers, (layer) => {
    const { active, loading, activeOnStartup: wasOnAtStart } = layer;
    return [layer.name, { layer, isActive: active || loading, wasOnAtStart }] as const;
  });
  return { map, viewpoint: (await map?.getViewpoint()) ?? undefined, layers: new Map(states) };
}

/** Restores what the user had switched on or off, except for changes of the modules themselves. */
async function restore(
  { maps, layers }: PreviewApp,
  { map, viewpoint, layers: before }: State,
): Promise<void> {
  if (map !== undefined && maps.activeMap !== map) {
    if (maps.hasKey(map.name) && maps.activeMap?.name !== map.name) await maps.setActiveMap(map.name);
    if (viewpoint?.isValid()) await maps.activeMap?.gotoViewpoint(viewpoint);
  }
  for (const layer of layers) {
    const known = before.get(layer.name);
    if (!known || known.layer === layer || known.wasOnAtStart !== layer.activeOnStartup) continue;
    if (known.isActive && !layer.active) void layer.activate().catch(reportError);
    if (!known.isActive && (layer.active || layer.loading)) layer.deactivate();
  }
}

/** Debounced, as changes come in groups. */
function reportLayers(
  { maps, layers }: PreviewApp,
  isOfModules: (name: string) => boolean,
  send: (message: object) => void,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = () => {
    timer = undefined;
    // the engine adds layers of its own
    const those = [...layers].filter(({ name }) => isOfModules(name));
    const list = those.map(({ name, className, active, properties }) => ({
      name,
      type: className,
      isActive: active,
      title: typeof properties?.title === 'string' ? properties.title : undefined,
    }));
    send({ type: 'layers', layers: list, map: maps.activeMap?.name ?? null });
  };
  const soon = () => {
    timer ??= setTimeout(report, 50);
  };
  for (const happening of [layers.stateChanged, layers.added, layers.removed, maps.mapActivated])
    (happening as VcsEvent<unknown>).addEventListener(soon);
}

function reportClicks({ maps }: PreviewApp, core: Core, send: (message: object) => void): void {
  class Picking extends core.AbstractInteraction {
    async pipe(event: InteractionEvent): Promise<InteractionEvent> {
      const feature = event.feature as (Feature & { readonly [layer: symbol]: unknown }) | undefined;
      if (feature === undefined) return event;
      const entries = Object.entries(feature.getAttributes?.() ?? {});
      // engine objects, such as geometries, cannot be posted
      const properties = entries.filter(([, value]) => value === null || !isEngineObject(value));
      const layer = feature[core.vcsLayerName];
      send({
        type: 'picked',
        layer: typeof layer === 'string' ? layer : null,
        id: String(feature.getId?.() ?? ''),
        properties: structuredClone(Object.fromEntries(properties)),
      });
      return event;
    }
  }
  const picking = new Picking(core.EventType.CLICK);
  maps.eventHandler.addPersistentInteraction(picking);
  picking.setActive();
}

function isEngineObject(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.getPrototypeOf(value) !== Object.prototype;
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const slowMs = 70;
const slowFrames = 8;
const touchedMs = 2000;

/**
 * The globe renders continuously, which without a graphics card leaves the editor around it no time. If frames are
 * slow, it renders rarely unless the user moves it.
 */
function throttleFrames(maps: PreviewApp['maps']): void {
  const paced = new WeakSet<Globe>();
  let touchedAt = 0;
  const touch = () => {
    touchedAt = performance.now();
    const globe = maps.activeMap?.getCesiumWidget?.();
    if (globe) globe.targetFrameRate = undefined;
  };
  for (const type of ['pointerdown', 'pointermove', 'wheel', 'keydown'])
    window.addEventListener(type, touch, { capture: true, passive: true });
  maps.mapActivated.addEventListener((map) => {
    const globe = map.getCesiumWidget?.();
    if (!globe || paced.has(globe)) return;
    paced.add(globe);
    let last = performance.now();
    let slow = 0;
    globe.scene.postRender.addEventListener(() => {
      const now = performance.now();
      const frameMs = now - last;
      last = now;
      if (globe.targetFrameRate !== undefined) return;
      slow = frameMs > slowMs ? slow + 1 : 0;
      if (slow >= slowFrames && now - touchedAt > touchedMs)
        globe.targetFrameRate = Math.min(4, Math.max(1, 200 / frameMs));
    });
  });
}
