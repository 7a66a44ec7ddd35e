import { writeFile } from 'node:fs/promises';
import type { FreeForm } from '@platen/contract/schema';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { isStarted, startTimeoutMs, watch } from './testing-engines.ts';
import { sharedService } from './testing-shared.ts';

const viewport = { width: 400, height: 350 };

export type Colour = readonly [red: number, green: number, blue: number];

interface GlobeApp {
  readonly projectId: string;
  /** The parts of the module besides its map and its start. */
  readonly module: FreeForm;
  /** [longitude, latitude, height] in degrees and metres. */
  readonly groundPosition: readonly number[];
  /** In metres. */
  readonly distance: number;
  /** In degrees; -90: from above. */
  readonly pitch?: number;
  /** Of the engine. */
  readonly mapVersion?: string;
}

/** Opens a public app of one module that looks down at a place, from the south unless from above. */
export async function openGlobeApp(
  browser: Browser,
  { projectId, module, groundPosition, distance, pitch = -60, mapVersion = '^6' }: GlobeApp,
) {
  const { client, url } = await sharedService();
  const params = { projectId };
  const view = { groundPosition, distance, heading: 0, pitch, roll: 0, animate: false };
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: {
      name: 'Globe',
      maps: [{ type: 'CesiumMap', name: 'globe' }],
      viewpoints: [{ type: 'Viewpoint', name: 'start', ...view }],
      startingMapName: 'globe',
      startingViewpointName: 'start',
      ...module,
    } as never,
  });
  const { _id: appId } = await client.postProjectApp({
    params,
    body: { name: 'Globe', mapVersion, moduleIds: [moduleId] } as never,
  });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const seen = watch(page, url);
  await page.goto(`${url}/app/${appId}/`);
  await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 100 });
  return { page, seen, close: () => context.close() };
}

interface Square {
  /** What the colour is called. */
  readonly name: string;
  /** In pixels. */
  readonly side?: number;
  /** Of its middle. */
  readonly row?: number;
}

/** Waits until all pixels of a square in the middle of the page, or of another row, have a colour. */
export async function untilMiddle(
  page: Page,
  { name, side = 1, row = viewport.height / 2 }: Square,
  isWanted: (colour: Colour) => boolean,
): Promise<void> {
  const { width } = page.viewportSize() ?? viewport;
  const [left, top] = [(width - side) >> 1, (2 * row - side) >> 1];
  let last: Colour[] = [];
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await page.waitForTimeout(250)) {
    const { data } = await sharp(await page.screenshot())
      .extract({ left, top, width: side, height: side })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    last = Array.from({ length: side * side }, (_, i) => [data[i * 3]!, data[i * 3 + 1]!, data[i * 3 + 2]!]);
    if (last.every(isWanted)) return;
  }
  await keepPicture(page, name);
  throw new Error(`The middle of the map is not ${name}, but ${last[0]!.join(', ')} and other colours.`);
}

/** Writes a picture of the page into the folder for those that are asked for. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PLATEN_TEST_PICTURES'];
  if (folder !== undefined) await writeFile(`${folder}/${name}.png`, await page.screenshot());
}

interface Scene {
  readonly postRender: { addEventListener(listener: () => void): () => void };
}
interface EngineGlobals {
  readonly vcs: {
    getFirstApp(): {
      readonly maps: {
        readonly activeMap: { gotoViewpoint(viewpoint: object): Promise<void>; getScene(): Scene };
      };
    };
  };
}

/** Moves the camera, and waits until frames from there are drawn. */
export function lookAt(page: Page, place: object): Promise<void> {
  return page.evaluate(async (options) => {
    const { vcs } = globalThis as unknown as EngineGlobals;
    const core = (await import(new URL('assets/core.js', document.baseURI).href)) as {
      Viewpoint: new (view: object) => object;
    };
    const { activeMap } = vcs.getFirstApp().maps;
    await activeMap.gotoViewpoint(new core.Viewpoint(options));
    let frames = 0;
    await new Promise<void>((resolve) => {
      const stop = activeMap.getScene().postRender.addEventListener(() => {
        if (++frames < 3) return;
        stop();
        resolve();
      });
    });
  }, place);
}
