import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import { createLattice, type TransformPlaces } from '@platen/geo/geodesy/lattice';
import { fromLocal } from '@platen/geo/geodesy/local-frame';
import type { Crs } from '@platen/formats/crs/crs';
import { findCrs } from '@platen/formats/crs/find-crs';
import type { MosaicSheet } from '../../raster-source/mosaic-sheet.ts';
import { createPositionFinder } from '../../raster-source/sheet-frame.ts';
import { unitsPerMetre, type RootCube } from '../place/root-cube.ts';

/** Finds the pixels of points in images. */
export interface ImagePlaces {
  /** Takes some points of a cloud. */
  take(columns: readonly Uint32Array[], numbers: Uint32Array): void;
  /** The column and the row of each of them in an image, in pairs: the middle of the first pixel is at 0.5. Undefined: none is near it. */
  pixelsIn(image: number): Float64Array | undefined;
}

/** Metres of a cell of the lattice, in the frame of the tree. */
const cell = [1024, 1024, 400] as const;

export function openImagePlaces(images: readonly MosaicSheet[], root: RootCube): ImagePlaces {
  const texts = [...new Set(images.map(({ crs }) => crs))];
  const systems = texts.map((text) => {
    const crs = findCrs(text);
    return { crs, transform: createLattice(exactly(crs, root), cell, root.corner) };
  });
  const placed = images.map((image) => {
    const system = texts.indexOf(image.crs);
    return { ...image, system, toPixels: createPositionFinder(image, systems[system]!.crs) };
  });
  let places = new Float64Array(0);
  let positions: (Positions | undefined)[] = [];
  return {
    take(columns, numbers) {
      places = new Float64Array(numbers.length * 3);
      for (let axis = 0; axis < 3; axis++) {
        const [column, corner] = [columns[axis]!, root.corner[axis]!];
        for (let i = 0; i < numbers.length; i++)
          places[i * 3 + axis] = corner + column[numbers[i]!]! / unitsPerMetre;
      }
      positions = [];
    },
    pixelsIn(number) {
      const { system, toPixels, width, height } = placed[number]!;
      const { at, corners } = (positions[system] ??= positionsOf(places, systems[system]!.transform));
      if (!reaches(toPixels, corners, { width, height })) return undefined;
      const pixels = at.slice();
      toPixels(pixels);
      return pixels;
    },
  };
}

/** From metres of the frame to coordinates of a system; the third value has no meaning. */
function exactly(crs: Crs, { frame, corner }: RootCube): TransformPlaces {
  const inDegrees = crs.kind === 'lonLat' || crs.kind === 'geographic';
  const [middle] = geodeticOf(fromLocal(frame, [...corner]));
  return (places, count) => {
    const at = new Float64Array(count * 2);
    for (let i = 0; i < count; i++) {
      const [lon, lat] = geodeticOf(
        fromLocal(frame, [places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!]),
      );
      at[i * 2] = lon;
      at[i * 2 + 1] = lat;
    }
    if (crs.kind !== 'lonLat') crs.fromLonLat(at, count);
    for (let i = 0; i < count; i++) {
      // no step at 180° within a cell
      const turns = inDegrees ? Math.round((middle - at[i * 2]!) / 360) : 0;
      places[i * 3] = at[i * 2]! + 360 * turns;
      places[i * 3 + 1] = at[i * 2 + 1]!;
      places[i * 3 + 2] = 0;
    }
  };
}

interface Positions {
  /** In a system, in pairs. */
  readonly at: Float64Array;
  /** Of the box around them. */
  readonly corners: Float64Array;
}

function positionsOf(places: Float64Array, transform: TransformPlaces): Positions {
  const count = places.length / 3;
  const moved = places.slice();
  transform(moved, count);
  const at = new Float64Array(count * 2);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    const [x, y] = [moved[i * 3]!, moved[i * 3 + 1]!];
    at[i * 2] = x;
    at[i * 2 + 1] = y;
    [west, east] = [Math.min(west, x), Math.max(east, x)];
    [south, north] = [Math.min(south, y), Math.max(north, y)];
  }
  return { at, corners: Float64Array.of(west, south, east, south, west, north, east, north) };
}

/** Whether the box with these corners may touch an image. */
function reaches(
  toPixels: (at: Float64Array) => void,
  corners: Float64Array,
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = turned(corners, toPixels);
  const [left, right] = [Math.min(x0, x1, x2, x3), Math.max(x0, x1, x2, x3)];
  const [top, bottom] = [Math.min(y0, y1, y2, y3), Math.max(y0, y1, y2, y3)];
  // a place that its system does not have is NaN: then each point is looked at
  return !(right < 0 || left > width || bottom < 0 || top > height);
}

function turned(corners: Float64Array, toPixels: (at: Float64Array) => void): Float64Array {
  const at = corners.slice();
  toPixels(at);
  return at;
}
