import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The installed browser; undefined if there is none, which is an error in CI. */
export function findChromium(): string | undefined {
  const found = [process.env['PLATEN_CHROMIUM'] ?? '', ...candidates].find(
    (path) => path !== '' && existsSync(path),
  );
  if (found === undefined && process.env['CI'] === 'true') throw new Error(howToGetIt);
  return found;
}

export const howToGetIt =
  'No Chromium was found. Get it with “apt-get install chromium”, or name it in PLATEN_CHROMIUM.';

/**
 * Features that wait for frames or ask hosts, which Playwright switches off as well, and what is loaded in advance: a
 * process, and for each new window the pages of its address bar, which nobody sees and which take half a second of CPU.
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

/** Headless, without a GPU, and without asking any host of its own accord. */
export function launchChromium(executablePath: string, more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${disabledFeatures.join()}`,
      ...more,
    ],
  });
}

/**
 * For pages with a map, which draws as often as it can, and without a GPU takes the whole machine for it: fewer frames
 * a second, fewer pixels, plainer textures, and no atmosphere, which is four fifths of the work. A globe that has not
 * changed is hardly drawn at all. `inFrames`: only maps that are a page within the page.
 */
export async function limitFrames(context: BrowserContext, { inFrames = false } = {}): Promise<void> {
  await context.addInitScript(delayFrames, { pauseMs: 300, inFrames });
  await context.addInitScript(simplifyTextures);
  await context.addInitScript(simplifyGlobe, { idleFrameMs: 2000 });
}

/** Runs in the page: without anisotropic filters, half of the work of a frame of the globe. */
function simplifyTextures(): void {
  const { prototype } = WebGL2RenderingContext;
  const read = Reflect.get(prototype, 'getExtension') as (this: object, name: string) => unknown;
  Reflect.set(prototype, 'getExtension', function (this: object, name: string) {
    return name === 'EXT_texture_filter_anisotropic' ? null : read.call(this, name);
  });
}

/**
 * Runs in the page: the globe has no atmosphere from its first frames on, and a quarter of its pixels. It is drawn when
 * data or the view have changed, and else once in a while, for changes of which the engine does not tell it.
 */
function simplifyGlobe({ idleFrameMs }: { idleFrameMs: number }): void {
  interface Scene {
    requestRenderMode: boolean;
    maximumRenderTimeChange: number;
    requestRender(): void;
    readonly skyAtmosphere?: { show: boolean };
    readonly globe: { showGroundAtmosphere: boolean };
  }
  interface GlobeMap {
    getScene?(): Scene | undefined;
    getCesiumWidget?(): { resolutionScale: number } | undefined;
  }
  interface Engine {
    getFirstApp?(): { readonly maps: { readonly activeMap?: GlobeMap } } | undefined;
  }
  let drawnAt = 0;
  setInterval(() => {
    const { vcs } = globalThis as { vcs?: Engine };
    const map = vcs?.getFirstApp?.()?.maps.activeMap;
    const scene = map?.getScene?.();
    if (scene?.skyAtmosphere?.show === true) {
      scene.skyAtmosphere.show = false;
      scene.globe.showGroundAtmosphere = false;
    }
    if (scene && performance.now() - drawnAt > idleFrameMs) {
      scene.requestRenderMode = true;
      scene.maximumRenderTimeChange = Infinity;
      scene.requestRender();
      drawnAt = performance.now();
    }
    const widget = map?.getCesiumWidget?.();
    // which loads the same tiles: errors are measured in pixels of the page
    if (widget && widget.resolutionScale !== 0.5) widget.resolutionScale = 0.5;
  }, 100);
}

/** Runs in the page, before all else: every frame waits. */
function delayFrames({ pauseMs, inFrames }: { pauseMs: number; inFrames: boolean }): void {
  if (inFrames && globalThis.top === globalThis.self) return;
  const request = globalThis.requestAnimationFrame.bind(globalThis);
  const cancel = globalThis.cancelAnimationFrame.bind(globalThis);
  const requested = new Map<number, number>();
  globalThis.requestAnimationFrame = (callback) => {
    const id = Number(
      setTimeout(() => {
        const draw = (time: number) => {
          requested.delete(id);
          callback(time);
        };
        requested.set(id, request(draw));
      }, pauseMs),
    );
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => {
    clearTimeout(id);
    const own = requested.get(id);
    requested.delete(id);
    if (own !== undefined) cancel(own);
  };
}
