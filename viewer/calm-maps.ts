// Runs in the browser, as a part of start.ts: how maps look unless their module says otherwise. What VC Map has options
// for is set as its defaults; the sky and the background are properties of the map, see docs/modules.md.

import { followDaylight, type LitMap } from './daylight.ts';

/** The part of engines 5.0 to 6.3 that is used. */
interface Colour {
  readonly constructor: unknown;
}
interface Shown {
  show: boolean;
}
interface Scene {
  readonly globe: {
    showGroundAtmosphere: boolean;
    maximumScreenSpaceError: number;
  };
  readonly fog: { enabled: boolean };
  readonly skyBox?: Shown;
  readonly sun?: Shown;
  readonly moon?: Shown;
  backgroundColor: Colour;
}
interface GlobeMap extends LitMap {
  readonly className: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  getScene?(): Scene | undefined;
}
type QualityOptions = Record<string, unknown> & Record<'low' | 'medium' | 'high', object>;
interface DisplayQuality {
  updateOptions(options: object): void;
}
interface Toolbox {
  readonly action: { readonly active: boolean; callback(): void };
}
export interface CalmApp {
  readonly maps: {
    readonly mapActivated: { addEventListener(listener: (map: GlobeMap) => void): unknown };
  };
  /** Since engine 6. */
  readonly displayQuality?: DisplayQuality;
  readonly navbarManager?: {
    readonly added: { addEventListener(listener: (button: { readonly id: string }) => void): () => void };
    get(id: string): Toolbox | undefined;
  };
}

const background = '#dfe9ee';

/** Sharper where it is cheap: on desktops, and where a pixel of the page is several of the screen. */
const isSharp = matchMedia('(pointer: fine)').matches || devicePixelRatio > 1;
/** How far a tile may be stretched, in pixels. */
const maxScreenError = isSharp ? 1.3 : 2;

/** Prepares an app for its modules, which are added later. */
export function calmMaps(app: CalmApp): void {
  if (app.displayQuality !== undefined) setQuality(app.displayQuality);
  app.maps.mapActivated.addEventListener((map) => {
    const scene = map.className === 'CesiumMap' ? map.getScene?.() : undefined;
    if (scene === undefined) return;
    calmScene(scene, map.properties ?? {}, app.displayQuality === undefined);
    followDaylight(map);
  });
  closeToolbox(app);
}

/** As defaults, so that `displayQuality` of a module's `uiConfig` still wins. */
function setQuality(quality: DisplayQuality): void {
  const type = quality.constructor as unknown as { getDefaultOptions(): QualityOptions };
  const { low, medium, high, ...options } = type.getDefaultOptions();
  type.getDefaultOptions = () => ({
    ...options,
    low: { ...low, sse: isSharp ? 2 : 4, fogEnabled: false },
    medium: { ...medium, sse: maxScreenError, fogEnabled: false },
    high: { ...high, sse: 1, fogEnabled: false },
  });
  quality.updateOptions({});
}

function calmScene(scene: Scene, properties: Readonly<Record<string, unknown>>, isOld: boolean): void {
  const { groundAtmosphere, stars, backgroundColor } = properties;
  scene.globe.showGroundAtmosphere = groundAtmosphere === true;
  for (const light of [scene.skyBox, scene.sun, scene.moon]) if (light) light.show = stars === true;
  const type = scene.backgroundColor.constructor as unknown as {
    fromCssColorString(text: string): Colour | undefined;
  };
  const colour = typeof backgroundColor === 'string' ? type.fromCssColorString(backgroundColor) : undefined;
  scene.backgroundColor = colour ?? type.fromCssColorString(background)!;
  if (!isOld) return;
  scene.fog.enabled = false;
  scene.globe.maximumScreenSpaceError = maxScreenError;
}

/** It would lie over the middle of the map; its button stays in the bar. */
function closeToolbox({ navbarManager }: CalmApp): void {
  const stop = navbarManager?.added.addEventListener(({ id }) => {
    if (id !== 'toolbox') return;
    stop?.();
    const toolbox = navbarManager.get(id);
    if (toolbox?.action.active === true) toolbox.action.callback();
  });
}

type Config = Readonly<Record<string, unknown>>;
interface Setting {
  readonly name: string;
  readonly value: unknown;
}

/** Of the interface of Platen. */
const accent = '#0e6b78';

/** A module before all others, which win: our colour, and the title of the page in the header, where engine 5 has a logo. */
export function titleModule(isOld: boolean): object {
  const titles: Setting[] = document.title === '' ? [] : [{ name: 'appTitle', value: document.title }];
  const logos: Setting[] = isOld ? ['logo', 'mobileLogo'].map((name) => ({ name, value: nothing })) : [];
  return {
    _id: 'platen-title',
    name: 'platen-title',
    uiConfig: [{ name: 'primaryColor', value: accent }, ...titles, ...logos],
  };
}

const nothing = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/%3E';

/** Until tiles are there, globes have the colour of the sea; what the sun lights would be dark at night. */
const calmGlobe = { globeColor: '#b8d2dc', enableLightning: false };

/** @param map of a module, whatever that has there */
const calmed = (map: Config | null): Config | null =>
  map?.['type'] === 'CesiumMap' ? { ...calmGlobe, ...map } : map;

/** A module as it is shown: globes are calm unless it says otherwise, and panels leave room for the map. */
export function calmModule(module: Config): Config {
  const { maps } = module;
  if (!Array.isArray(maps)) return fitToDevice(module);
  return fitToDevice({ ...module, maps: (maps as (Config | null)[]).map(calmed) });
}

/** On a phone panels would cover the map, and on a tablet two of them: the legend stays. */
function fitToDevice(module: Config): Config {
  const { uiConfig } = module;
  if (!Array.isArray(uiConfig)) return module;
  const settings = uiConfig as Partial<Setting>[];
  const hasLegend = settings.some(({ name, value }) => name === 'openLegendOnAdd' && value === true);
  const isPhone = matchMedia('(max-width: 600px), (max-height: 450px)').matches;
  const isNarrow = matchMedia(`(max-width: ${hasLegend ? 1100 : 800}px)`).matches;
  const closed = new Set<string | undefined>();
  if (isPhone || isNarrow) closed.add('contentTreeActiveOnStartup');
  if (isPhone) closed.add('openLegendOnAdd');
  return { ...module, uiConfig: settings.filter(({ name }) => !closed.has(name)) };
}
