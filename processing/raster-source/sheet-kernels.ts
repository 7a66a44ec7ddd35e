import { findCrs, type Crs } from '@platen/formats/crs/find-crs';
import { tapsOf, widenedFrom, type Resampling } from '@platen/geo/raster/kernels';
import { reachOf } from '@platen/geo/raster/warp-rgba';
import type { WarpKernel } from '@platen/geo/raster/weigh-pixels';
import { pixelMetres, type MercatorBox } from './mercator-frame.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';
import { scaleInSheet } from './place-sheet.ts';

export type PlacedSheet = Omit<MosaicSheet, 'crs'> & { readonly crs: Crs };

/** Sheets with their coordinate systems, of which each is made once. */
export function withSystems(sheets: readonly MosaicSheet[]): PlacedSheet[] {
  const systems = new Map<string, Crs>();
  return sheets.map((sheet) => {
    const crs = systems.get(sheet.crs) ?? findCrs(sheet.crs);
    systems.set(sheet.crs, crs);
    return { ...sheet, crs };
  });
}

/**
 * The kernels of sheets at a zoom, one for all of a sheet, so that it does not depend on how the image is divided. Undefined:
 * bilinear, or the nearest.
 */
export function kernelsOf(
  sheets: readonly PlacedSheet[],
  resampling: Resampling,
  scaleOf = scalesOf(sheets),
): (number: number, zoom: number) => WarpKernel | undefined {
  const kernels = new Map<string, WarpKernel | undefined>();
  return (number, zoom) => {
    if (resampling === 'nearest' || sheets[number]!.isNearest) return undefined;
    const key = `${number} ${zoom}`;
    if (!kernels.has(key)) {
      const [across, down] = scaleOf(number, zoom);
      const isPlain = resampling === 'bilinear' && across <= widenedFrom && down <= widenedFrom;
      const isMode = resampling === 'mode';
      const shape = isMode ? 'average' : resampling;
      const kernel = isPlain
        ? undefined
        : { across: tapsOf(shape, across), down: tapsOf(shape, down), isMode };
      kernels.set(key, kernel);
    }
    return kernels.get(key);
  };
}

type Scale = ReturnType<typeof scaleInSheet>;

/** How many pixels of sheets a pixel of a zoom has. */
function scalesOf(sheets: readonly PlacedSheet[]): (number: number, zoom: number) => Scale {
  const scales = new Map<string, Scale>();
  return (number, zoom) =>
    scales.getOrInsertComputed(`${number} ${zoom}`, () => scaleInSheet(sheets[number]!, zoom));
}

/** The boxes within which sheets change pixels of a zoom: kernels of sheets on the same grid read on in them. */
export function reachedBoxes(
  sheets: readonly MosaicSheet[],
  resampling: Resampling,
  zoom: number,
): MercatorBox[] {
  const placed = withSystems(sheets);
  const scaleOf = scalesOf(placed);
  const kernelOf = kernelsOf(placed, resampling, scaleOf);
  return placed.map((sheet, number) => {
    if (sheet.isNearest || resampling === 'nearest') return sheet.box;
    const { across, down } = reachOf(kernelOf(number, zoom));
    const [width, height] = scaleOf(number, zoom);
    const metres = pixelMetres(zoom) * Math.max((across + 1) / width, (down + 1) / height);
    const [west, south, east, north] = sheet.box;
    return [west - metres, south - metres, east + metres, north + metres];
  });
}
