import { hatchFill } from '@platen/styles/hatch';
import { styleItem } from '@platen/styles/style-item';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

export const viewport = { width: 320, height: 280 };
export const startTimeoutMs = 120_000;

/** Records requests of the page and its problems: errors, policy violations, foreign hosts. */
export function watch(page: Page, origin: string) {
  const complaints: string[] = [];
  const paths: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on(
    'response',
    (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`),
  );
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!/^https?:/.test(url.protocol)) return;
    if (url.origin === origin) paths.push(url.pathname);
    else complaints.push(`asked ${url.origin}`);
  });
  void page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    console.error('violation of ' + event.violatedDirective + ' by ' + event.blockedURI))`);
  return { complaints, paths };
}

export async function untilCentreIsRed(page: Page, map: string): Promise<void> {
  let last: number[] = [];
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await page.waitForTimeout(250)) {
    const { data } = await sharp(await page.screenshot())
      .extract({ left: 160, top: 140, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    last = [...data];
    if (last[0]! > 200 && last[1]! < 60 && last[2]! < 60) return;
  }
  throw new Error(`In the middle of the map ${map} is ${last.join(', ')}, not the square.`);
}

/** Some pixels are blue. */
export const untilPointIsSeen = (page: Page) =>
  untilSeen(page, [['blue', ([red, green, blue]) => red < 40 && green < 40 && blue > 215]]);

/** Some pixels are green, others magenta. */
export const untilHatchIsSeen = (page: Page) =>
  untilSeen(page, [
    ['green', ([red, green, blue]) => red < 60 && green > 120 && blue < 60],
    ['magenta', ([red, green, blue]) => red > 190 && green < 80 && blue > 190],
  ]);

type Colour = readonly [red: number, green: number, blue: number];

/** Until more than 50 pixels are of each colour. */
export async function untilSeen(
  page: Page,
  colours: readonly (readonly [name: string, isIt: (colour: Colour) => boolean])[],
): Promise<void> {
  let missing: string[] = [];
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await page.waitForTimeout(250)) {
    const data = await sharp(await page.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer();
    const pixels = Array.from({ length: data.length / 3 }, (_, i): Colour => [
      data[3 * i]!,
      data[3 * i + 1]!,
      data[3 * i + 2]!,
    ]);
    missing = colours.filter(([, isIt]) => pixels.filter(isIt).length <= 50).map(([name]) => name);
    if (missing.length === 0) return;
  }
  throw new Error(`Nothing on the map is ${missing.join(' or ')}.`);
}

export interface EngineApp {
  readonly uiConfig: Iterable<{ readonly name: string; readonly value: unknown }>;
  readonly layers: Iterable<EngineLayer> & { getByKey(name: string): EngineLayer | undefined };
  readonly maps: {
    readonly activeMap: { getScene(): Scene } | null;
    setActiveMap(name: string): Promise<void>;
  };
}

interface EngineLayer {
  readonly name: string;
  readonly active: boolean;
  activate(): Promise<void>;
}

interface Scene {
  readonly primitives: Primitives;
  readonly globe: {
    readonly showGroundAtmosphere: boolean;
    readonly enableLighting: boolean;
    readonly baseColor: { toCssHexString(): string };
    readonly maximumScreenSpaceError: number;
  };
  readonly fog: { readonly enabled: boolean };
  readonly skyBox: { readonly show: boolean };
  readonly backgroundColor: { toCssHexString(): string };
}

export function isStarted(): boolean {
  const { vcs } = globalThis as unknown as { vcs?: { getFirstApp?(): EngineApp | undefined } };
  const app = vcs?.getFirstApp?.();
  return app !== undefined && app.maps.activeMap !== null;
}

export async function showMap(name: string): Promise<void> {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): EngineApp } };
  await vcs.getFirstApp().maps.setActiveMap(name);
}

/** Runs in the page. */
export async function switchLayerOn(name: string): Promise<void> {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): EngineApp } };
  await vcs.getFirstApp().layers.getByKey(name)!.activate();
}

const hatchedSquare = [
  [23.5, 45],
  [31, 45],
  [31, 55],
  [23.5, 55],
  [23.5, 45],
];

const overlapping = ['first', 'second', 'third'];

/** Layers that the page draws, or changes, instead of the engine: a hatch beside the square, and labels that overlap,
 * of which the second comes first. One is of an area. */
export const drawnLayers: readonly object[] = [
  {
    type: 'GeoJSONLayer',
    name: 'hatched',
    activeOnStartup: true,
    features: [
      {
        type: 'Feature',
        properties: {},
        geometry: {
          type: 'Polygon',
          coordinates: [hatchedSquare],
        },
      },
    ],
    style: {
      type: 'VectorStyleItem',
      fill: hatchFill({ type: 'cross', colour: '#ff00ff', width: 3, spacing: 12 }, '#00a000'),
    },
    vectorProperties: { altitudeMode: 'clampToGround' },
  },
  {
    type: 'GeoJSONLayer',
    name: 'labels',
    activeOnStartup: true,
    features: [
      ...overlapping.map((name, i) => ({
        type: 'Feature',
        properties: { name, rank: [3, 1, 2][i] },
        geometry: { type: 'Point', coordinates: [10, 48 + i / 50] },
      })),
      {
        type: 'Feature',
        properties: { name: 'area' },
        geometry: { type: 'Polygon', coordinates: [hatchedSquare] },
      },
    ],
    style: styleItem(
      {
        colour: { type: 'single', colour: '#888888' },
        opacity: 0,
        label: { attribute: 'name', rank: { attribute: 'rank', first: 'lowest' }, placement: 'above' },
      },
      'mixed',
      { locale: 'en', others: '', noValue: '' },
    ),
  },
];

interface Primitives {
  readonly length: number;
  get(index: number): Partial<Primitives> & { readonly text?: string; readonly show?: boolean };
}

/** Runs in the page: the labels of that layer that the globe shows; those that it hides are in brackets. */
export function labelsOfGlobe(): string[] {
  const texts = new Set(['first', 'second', 'third', 'area']);
  const shown = (primitives: Primitives): string[] =>
    Array.from({ length: primitives.length }, (_, i) => primitives.get(i)).flatMap((one) => {
      if (typeof one.get === 'function') return shown(one as Primitives);
      const { text = '' } = one;
      return texts.has(text) ? [one.show === true ? text : `(${text})`] : [];
    });
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): EngineApp } };
  return shown(vcs.getFirstApp().maps.activeMap!.getScene().primitives).toSorted();
}

/** Runs in the page. */
export function activeBaseMaps(): string[] {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): EngineApp } };
  return [...vcs.getFirstApp().layers]
    .filter(({ name, active }) => active && name.startsWith('platen-base-maps-'))
    .map(({ name }) => name);
}

/** Runs in the page, whose active map is the globe. */
export function globeLook() {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): EngineApp } };
  const { globe, fog, skyBox, backgroundColor } = vcs.getFirstApp().maps.activeMap!.getScene();
  return {
    hasAtmosphere: globe.showGroundAtmosphere,
    hasFog: fog.enabled,
    isLit: globe.enableLighting,
    ground: globe.baseColor.toCssHexString(),
    hasStars: skyBox.show,
    background: backgroundColor.toCssHexString(),
    screenError: globe.maximumScreenSpaceError,
  };
}

/** Runs in the page, which shows the title in wide windows only. */
export function titleInHeader(): unknown {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): EngineApp } };
  return [...vcs.getFirstApp().uiConfig].findLast(({ name }) => name === 'appTitle')?.value;
}
