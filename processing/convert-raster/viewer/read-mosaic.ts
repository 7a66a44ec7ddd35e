import { placePixels } from '@platen/geo/raster/control-grid';
import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import { warpRgba, windowFor } from '@platen/geo/raster/warp-rgba';
import type { UnitPlace } from '../pyramid/unit-order.ts';
import { pixelMetres, type MercatorBox, type MercatorFrame } from './mercator-frame.ts';
import { placesInSheet } from './place-sheet.ts';
import type { SheetReader } from './read-sheets.ts';
import { toRgba, type ColourPlan } from './to-rgba.ts';
import type { ViewerSheet } from './viewer-sheet.ts';

export interface MercatorMosaic {
  /** The first is on top. */
  readonly sheets: readonly ViewerSheet[];
  readonly reader: SheetReader;
  readonly frame: MercatorFrame;
  readonly unitSide: number;
}

/** @throws JobFailure */
export function openMercatorMosaic(
  mosaic: MercatorMosaic,
): (place: UnitPlace) => Promise<PixelSquare | undefined> {
  let scratch: Uint8Array = new Uint8Array(0);
  return (place) =>
    readUnit(mosaic, place, (square, plan) => {
      const rgba = toRgba(square, plan, scratch);
      if (rgba.length > scratch.length) scratch = rgba;
      return rgba;
    });
}

/** RGBA of a unit in web mercator; undefined where no sheet has a pixel. */
async function readUnit(
  { sheets, reader, frame, unitSide }: MercatorMosaic,
  { column, row }: UnitPlace,
  colour: (square: PixelSquare, plan: ColourPlan) => Uint8Array,
): Promise<PixelSquare | undefined> {
  const corner = { zoom: frame.zoom, left: frame.left + column * unitSide, top: frame.top + row * unitSide };
  const box = boxOf(corner, unitSide);
  let rgba: Uint8Array | undefined;
  for (const [number, sheet] of sheets.entries()) {
    if (!overlap(sheet.box, box)) continue;
    if (rgba && isFull(rgba)) break;
    const places = placePixels(unitSide, placesInSheet(sheet, corner));
    const window = windowFor(places, sheet);
    if (!window) continue;
    rgba ??= new Uint8Array(unitSide ** 2 * 4);
    const pixels = colour(await reader.readSamples(number, window), sheet.colours);
    const { width, height, isNearest } = sheet;
    warpRgba(rgba, places, { width, height, isNearest, window: { ...window, rgba: pixels } });
  }
  return rgba && { samples: rgba };
}

function boxOf(
  { zoom, left, top }: { readonly zoom: number; readonly left: number; readonly top: number },
  side: number,
): MercatorBox {
  const metres = pixelMetres(zoom);
  const half = pixelMetres(0) * 128;
  return [
    left * metres - half,
    half - (top + side) * metres,
    (left + side) * metres - half,
    half - top * metres,
  ];
}

function isFull(rgba: Uint8Array): boolean {
  for (let alpha = 3; alpha < rgba.length; alpha += 4) if (rgba[alpha] === 0) return false;
  return true;
}

function overlap(a: MercatorBox, b: MercatorBox): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}
