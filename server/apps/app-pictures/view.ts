import { isObject } from '../../base/is-object.ts';
import type { Module } from '@platen/contract/modules';

export const previewWidth = 1200;
export const previewHeight = 630;
const margin = 60;

/** West, south, east, north in degrees; west greater than east crosses the antimeridian. */
export type Bbox = readonly [west: number, south: number, east: number, north: number];

/** In the unit square of Web Mercator: x to the east, y to the south. */
interface Extent {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

interface ViewCentre {
  readonly x: number;
  readonly y: number;
  /** Visible fraction of the world’s width; undefined: unknown. */
  readonly across?: number;
}

/** The part of the world that a picture shows, and the marks on it. */
export interface View {
  /** Pixels along the edge of the whole world. */
  readonly worldPixels: number;
  /** Position of the world’s north-western corner, in pixels of the picture. */
  readonly left: number;
  readonly top: number;
  readonly mark?: Mark;
}

/** In pixels: a frame around the data, or a point if the frame would be too small to see. */
export type Mark =
  | {
      readonly type: 'frame';
      readonly left: number;
      readonly top: number;
      readonly right: number;
      readonly bottom: number;
    }
  | { readonly type: 'point'; readonly x: number; readonly y: number };

/** Scales from the whole world to the closest view in which the base layer is not blurred. */
const minWorldPixels = previewWidth;
const maxWorldPixels = 20_480;
/** With data, which are not blurred: a picture is 180 m wide at the equator. */
const maxWorldPixelsOfData = 2 ** 28;
const minFramePixels = 40;

/** Around the starting viewpoint of the modules, else around their data, else the world, with a mark. */
export function viewOf(modules: readonly Module[], boxes: readonly Bbox[]): View {
  const { start, data, ...place } = placeOf(modules, boxes, maxWorldPixels);
  const mark = markOf(place, data, start);
  return mark ? { ...place, mark } : place;
}

/** The same for a picture that shows the data themselves. */
export function viewOfData(modules: readonly Module[], boxes: readonly Bbox[]): Omit<View, 'mark'> {
  const { worldPixels, left, top } = placeOf(modules, boxes, maxWorldPixelsOfData);
  return { worldPixels, left, top };
}

function placeOf(modules: readonly Module[], boxes: readonly Bbox[], max: number) {
  const data = extentOf(boxes);
  const start = startOf(modules);
  const worldPixels = clamp(scaleOf(start, data), minWorldPixels, max);
  const centre = start ?? (data && { x: (data.minX + data.maxX) / 2, y: (data.minY + data.maxY) / 2 });
  const { x, y } = centre ?? { x: 0.5, y: 0.45 };
  const left = Math.round(previewWidth / 2 - x * worldPixels);
  const top = Math.round(clamp(previewHeight / 2 - y * worldPixels, previewHeight - worldPixels, 0));
  return { worldPixels, left, top, start, data };
}

function scaleOf(start: ViewCentre | undefined, data: Extent | undefined): number {
  if (start?.across !== undefined) return previewWidth / start.across;
  if (!data) return start ? maxWorldPixels : minWorldPixels;
  const across = (previewWidth - 2 * margin) / (data.maxX - data.minX);
  return Math.min(across, (previewHeight - 2 * margin) / (data.maxY - data.minY));
}

/** Data that covers the whole world needs no mark. */
function markOf(
  { worldPixels, left, top }: Omit<View, 'mark'>,
  data: Extent | undefined,
  start: ViewCentre | undefined,
): Mark | undefined {
  if (!data) {
    if (!start) return undefined;
    return { type: 'point', x: left + start.x * worldPixels, y: top + start.y * worldPixels };
  }
  if (data.maxX - data.minX > 0.95) return undefined;
  // the copy of the world that is nearest to the middle
  const middle = left + ((data.minX + data.maxX) / 2) * worldPixels;
  const shift = Math.round((previewWidth / 2 - middle) / worldPixels) * worldPixels + left;
  const frame = {
    left: shift + data.minX * worldPixels,
    top: top + data.minY * worldPixels,
    right: shift + data.maxX * worldPixels,
    bottom: top + data.maxY * worldPixels,
  };
  if (Math.max(frame.right - frame.left, frame.bottom - frame.top) >= minFramePixels)
    return { type: 'frame', ...frame };
  return { type: 'point', x: (frame.left + frame.right) / 2, y: (frame.top + frame.bottom) / 2 };
}

function extentOf(boxes: readonly Bbox[]): Extent | undefined {
  if (boxes.length === 0) return undefined;
  const extents = boxes.map(([west, south, east, north]) => ({
    minX: west / 360 + 0.5,
    minY: mercatorY(north),
    maxX: (west > east ? east + 360 : east) / 360 + 0.5,
    maxY: mercatorY(south),
  }));
  return {
    minX: Math.min(...extents.map(({ minX }) => minX)),
    minY: Math.min(...extents.map(({ minY }) => minY)),
    maxX: Math.max(...extents.map(({ maxX }) => maxX)),
    maxY: Math.max(...extents.map(({ maxY }) => maxY)),
  };
}

/**
 * The initial view of the map viewer: the last module that names a viewpoint decides, and the last viewpoint of that
 * name.
 */
function startOf(modules: readonly Module[]): ViewCentre | undefined {
  const name = modules.findLast(({ startingViewpointName }) => typeof startingViewpointName === 'string');
  const viewpoint = modules
    .flatMap(({ viewpoints }) => (Array.isArray(viewpoints) ? (viewpoints as unknown[]) : []))
    .findLast((item) => isObject(item) && item['name'] === name?.startingViewpointName);
  if (!isObject(viewpoint)) return undefined;
  const position = numbers(viewpoint['groundPosition']) ?? numbers(viewpoint['cameraPosition']);
  if (!position) return undefined;
  const [longitude, latitude, height = 0] = position;
  if (Math.abs(longitude!) > 180 || Math.abs(latitude!) > 90) return undefined;
  const { distance } = viewpoint;
  const away = typeof distance === 'number' && distance > 0 ? distance : height;
  const place = { x: longitude! / 360 + 0.5, y: mercatorY(latitude!) };
  return Number.isFinite(away) && away > 0 ? { ...place, across: acrossFrom(away, latitude!) } : place;
}

const equatorMetres = 40_075_017;

/** Fraction of the world’s width that a camera with a field of view of 60° sees. */
function acrossFrom(metres: number, latitude: number): number {
  const seen = 2 * metres * Math.tan(Math.PI / 6);
  return seen / (equatorMetres * Math.max(0.1, Math.cos((latitude * Math.PI) / 180)));
}

/** Position in the Web Mercator square, whose edge is at 85.05°. */
function mercatorY(latitude: number): number {
  const sine = Math.sin((clamp(latitude, -85.05, 85.05) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

function numbers(value: unknown): number[] | undefined {
  if (!Array.isArray(value) || value.length < 2) return undefined;
  return value.every((item) => typeof item === 'number' && Number.isFinite(item))
    ? (value as number[])
    : undefined;
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));
