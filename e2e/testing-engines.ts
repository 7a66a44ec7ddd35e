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
export async function untilPointIsSeen(page: Page): Promise<void> {
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await page.waitForTimeout(250)) {
    const data = await sharp(await page.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer();
    let blue = 0;
    for (let i = 0; i < data.length; i += 3)
      if (data[i]! < 40 && data[i + 1]! < 40 && data[i + 2]! > 215) blue++;
    if (blue > 50) return;
  }
  throw new Error('The point on this side of the globe is not on the map.');
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
  readonly globe: { readonly showGroundAtmosphere: boolean; readonly maximumScreenSpaceError: number };
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
