import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { startTimeoutMs } from './testing-engines.ts';
import type { Colour } from './testing-globe-app.ts';

export type Place = readonly [lon: number, lat: number];

/** What a map shows at places on the ellipsoid, whether it is a globe or flat. */
async function coloursAt(page: Page, places: readonly Place[]): Promise<Colour[]> {
  const points = await page.evaluate(pixelsOf, places);
  const picture = sharp(await page.screenshot()).removeAlpha();
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return points.map(([x, y]) => {
    const at = (Math.round(y) * info.width + Math.round(x)) * 3;
    return [data[at] ?? NaN, data[at + 1] ?? NaN, data[at + 2] ?? NaN];
  });
}

/** Waits until the colours at places are as wanted. */
export async function untilColours(
  page: Page,
  places: readonly Place[],
  isWanted: (colour: Colour, i: number) => boolean,
): Promise<void> {
  let wrong = '';
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await page.waitForTimeout(250)) {
    const colours = await coloursAt(page, places);
    const i = colours.findIndex((colour, place) => !isWanted(colour, place));
    if (i < 0) return;
    wrong = `${places[i]!.join(', ')} is ${colours[i]!.join(', ')}`;
  }
  const folder = process.env['PLATEN_TEST_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/colours.png` });
  throw new Error(`The map has another colour: ${wrong}.`);
}

/** Runs in the page. */
function pixelsOf(places: readonly Place[]): [x: number, y: number][] {
  interface Pixel {
    readonly x: number;
    readonly y: number;
  }
  interface ActiveMap {
    readonly mapElement: HTMLElement;
    readonly olMap?: {
      /** Null before the first frame. */
      getPixelFromCoordinate(place: readonly number[]): [number, number] | null;
    };
    getScene?(): {
      readonly globe: { readonly ellipsoid: { cartographicToCartesian(place: object): object } };
      cartesianToCanvasCoordinates(position: object): Pixel;
    };
  }
  const { vcs } = globalThis as unknown as {
    vcs: { getFirstApp(): { readonly maps: { readonly activeMap: ActiveMap } } };
  };
  const { activeMap } = vcs.getFirstApp().maps;
  const { left, top } = activeMap.mapElement.getBoundingClientRect();
  return places.map(([lon, lat]) => {
    const [longitude, latitude] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
    if (activeMap.olMap) {
      const radius = 6_378_137;
      const mercator = [radius * longitude, radius * Math.asinh(Math.tan(latitude))];
      const [x, y] = activeMap.olMap.getPixelFromCoordinate(mercator) ?? [NaN, NaN];
      return [left + x, top + y];
    }
    const scene = activeMap.getScene!();
    const position = scene.globe.ellipsoid.cartographicToCartesian({ longitude, latitude, height: 0 });
    const { x, y } = scene.cartesianToCanvasCoordinates(position);
    return [left + x, top + y];
  });
}
