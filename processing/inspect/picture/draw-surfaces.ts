import type { SurfaceBuffer } from '@platen/formats/mesh/surface-buffer';
import { createDepthCanvas, fillSurface } from '@platen/geo/canvas/depth-canvas';
import { shrinkPicture } from '@platen/geo/canvas/resize-picture';
import { thumbnailUrl } from '../thumbnail-url.ts';

const width = 256;
const height = 192;
/** Drawn twice as large and shrunk, which smooths the edges. */
const sampling = 2;
const margin = 10;
/** Visits of pixels and corners: large surfaces on top of each other are cut short. */
const maxVisits = 60e6;
const background = [243, 245, 247] as const;
const [red, green, blue] = [150, 170, 198] as const;
/** Towards the light, from above in the north-west. */
const light = unit([-0.45, 0.35, 0.82]);
const darkest = 0.42;
/** Viewing angle, in radians: how much heights and depths are foreshortened. */
const tilt = (50 * Math.PI) / 180;
const turn = (-25 * Math.PI) / 180;

export interface DrawOptions {
  /** Length of a unit of x and y in units of z: metres per degree for longitudes and latitudes. */
  readonly unitX?: number;
  readonly unitY?: number;
  /** The second axis points east, the first north. */
  readonly northingFirst?: boolean;
}

/**
 * A shaded view from above in the south, z upwards.
 * @returns a data: URL of a PNG of 256 × 192 pixels; undefined where nothing is visible
 */
export function drawSurfaces(surfaces: SurfaceBuffer, options: DrawOptions = {}): string | undefined {
  const projected = project(surfaces, options);
  if (projected === undefined) return undefined;
  const size = { width: width * sampling, height: height * sampling, background };
  const canvas = createDepthCanvas(size, maxVisits);
  let ring = 0;
  let isVisible = false;
  for (const endRing of surfaces.surfaceEnds) {
    if (canvas.budget < 0) break;
    const start = ring === 0 ? 0 : surfaces.ringEnds[ring - 1]!;
    const normal = normalOf(projected.model, start, surfaces.ringEnds[ring]!);
    if (normal !== undefined) {
      const lit = Math.abs(normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2]);
      const shade = darkest + (1 - darkest) * lit;
      const colour = [red * shade, green * shade, blue * shade] as const;
      const ringEnds = surfaces.ringEnds.slice(ring, endRing);
      isVisible = fillSurface(canvas, { points: projected.view, start, ringEnds }, colour) || isVisible;
    }
    ring = endRing;
  }
  return isVisible ? thumbnailUrl(shrinkPicture(canvas, width, height)) : undefined;
}

interface Projected {
  /** x, y, z in units of z, from the middle. */
  readonly model: Float64Array;
  /** Pixels to the right, pixels down, and nearness. */
  readonly view: Float64Array;
}

function project(
  { coordinates, positionCount }: SurfaceBuffer,
  { unitX = 1, unitY = 1, northingFirst = false }: DrawOptions,
): Projected | undefined {
  if (positionCount < 3) return undefined;
  const units = [unitX, unitY, 1];
  const axes = northingFirst ? [1, 0, 2] : [0, 1, 2];
  const origin = medianOf(coordinates, positionCount);
  const model = new Float64Array(positionCount * 3);
  const view = new Float64Array(positionCount * 3);
  const [sinTurn, cosTurn, sinTilt, cosTilt] = [
    Math.sin(turn),
    Math.cos(turn),
    Math.sin(tilt),
    Math.cos(tilt),
  ];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < model.length; at += 3) {
    for (let axis = 0; axis < 3; axis++)
      model[at + axis] = (coordinates[at + axes[axis]!]! - origin[axes[axis]!]!) * units[axis]!;
    const across = model[at]! * cosTurn - model[at + 1]! * sinTurn;
    const away = model[at]! * sinTurn + model[at + 1]! * cosTurn;
    const up = away * sinTilt + model[at + 2]! * cosTilt;
    view[at] = across;
    view[at + 1] = -up;
    view[at + 2] = model[at + 2]! * sinTilt - away * cosTilt;
    if (!Number.isFinite(across + up)) continue;
    left = Math.min(left, across);
    right = Math.max(right, across);
    top = Math.min(top, -up);
    bottom = Math.max(bottom, -up);
  }
  const scale =
    sampling * Math.min((width - 2 * margin) / (right - left), (height - 2 * margin) / (bottom - top));
  if (!(scale > 0) || !Number.isFinite(scale)) return undefined;
  for (let at = 0; at < view.length; at += 3) {
    view[at] = (view[at]! - (left + right) / 2) * scale + (width * sampling) / 2;
    view[at + 1] = (view[at + 1]! - (top + bottom) / 2) * scale + (height * sampling) / 2;
    view[at + 2]! *= scale;
  }
  return { model, view };
}

/** The median of some positions: an origin near the data, so that no precision is lost to rounding. */
function medianOf(coordinates: Float64Array, count: number): number[] {
  const step = Math.max(1, Math.floor(count / 1000));
  return [0, 1, 2].map((axis) => {
    const values: number[] = [];
    for (let i = 0; i < count; i += step) values.push(coordinates[i * 3 + axis]!);
    return values.toSorted((a, b) => a - b)[values.length >> 1]!;
  });
}

/** Newell's method: it needs no three corners that are good ones. */
function normalOf(model: Float64Array, start: number, end: number): Vector3 | undefined {
  let [x, y, z] = [0, 0, 0];
  for (let i = start, before = end - 1; i < end; before = i++) {
    const [ax, ay, az] = [model[before * 3]!, model[before * 3 + 1]!, model[before * 3 + 2]!];
    const [bx, by, bz] = [model[i * 3]!, model[i * 3 + 1]!, model[i * 3 + 2]!];
    x += (ay - by) * (az + bz);
    y += (az - bz) * (ax + bx);
    z += (ax - bx) * (ay + by);
  }
  return Math.hypot(x, y, z) > 0 && Number.isFinite(x + y + z) ? unit([x, y, z]) : undefined;
}

type Vector3 = readonly [number, number, number];

function unit([x, y, z]: Vector3): Vector3 {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
