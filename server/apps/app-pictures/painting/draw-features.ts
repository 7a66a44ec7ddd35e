import { paintMask, type Canvas } from '@platen/geo/canvas/canvas';
import { parseColour } from '@platen/geo/canvas/colour';
import { createFill } from '@platen/geo/canvas/fill-rings';
import { drawDisc, strokePath } from '@platen/geo/canvas/stroke';
import { pointType, polygonType } from '@platen/geo/shape/shape';
import type { InkedFeatures, PaintedFeatures, PlacedFeature } from './painted-features.ts';

/** Shares of the picture that lines and points may cover: if there are many, each is drawn smaller. */
const lineShare = 0.3;
const pointShare = 0.07;

/** Draws the features of a layer, areas below lines below points. */
export function drawFeatures(canvas: Canvas, { fills, strokes, points }: PaintedFeatures): void {
  const fill = createFill(canvas);
  for (const { ink, features } of fills.values()) {
    for (const { path, clip, ...placement } of features) fill(path, placement, clip);
    paintMask(canvas, parseColour(ink.colour), ink.opacity);
  }
  const [outlines, lines] = divide(strokes.values().toArray());
  drawStrokes(canvas, outlines);
  drawStrokes(canvas, lines);
  drawPoints(canvas, points.values().toArray());
}

/** Outlines of areas, and lines. */
function divide(strokes: readonly InkedFeatures[]): [InkedFeatures[], InkedFeatures[]] {
  const only = (isArea: boolean) =>
    strokes.map(({ ink, features }) => ({
      ink,
      features: features.filter(({ type }) => (type === polygonType) === isArea),
    }));
  return [only(true), only(false)];
}

function drawStrokes(canvas: Canvas, strokes: readonly InkedFeatures[]): void {
  let covered = 0;
  for (const { ink, features } of strokes)
    for (const feature of features) covered += ink.width * lengthOf(feature);
  const share = Math.min(1, (lineShare * canvas.mask.length) / covered);
  for (const { ink, features } of strokes) {
    const width = Math.min(ink.width, Math.max(0.5, ink.width * share));
    for (const { path, type, ...placement } of features)
      strokePath(canvas, path, { ...placement, width, isRing: type === polygonType });
    paintMask(canvas, parseColour(ink.colour), ink.opacity);
  }
}

/** In pixels, within the picture. */
function lengthOf({ path: { coordinates, partEnds }, scale, left, top, clip }: PlacedFeature): number {
  let length = 0;
  let start = 0;
  for (const end of partEnds) {
    for (let at = (start + 1) * 2; at < end * 2; at += 2) {
      const [x, y] = [left + coordinates[at]! * scale, top + coordinates[at + 1]! * scale];
      if (x < clip.left || x > clip.right || y < clip.top || y > clip.bottom) continue;
      length +=
        scale *
        Math.hypot(coordinates[at]! - coordinates[at - 2]!, coordinates[at + 1]! - coordinates[at - 1]!);
    }
    start = end;
  }
  return length;
}

function drawPoints(canvas: Canvas, groups: readonly InkedFeatures[]): void {
  const placed = groups.map(({ ink, features }) => ({ ink, at: features.flatMap(positionsIn) }));
  let covered = 0;
  for (const { ink, at } of placed) covered += (at.length / 2) * Math.PI * (ink.width / 2) ** 2;
  const shrink = Math.min(1, Math.sqrt((pointShare * canvas.mask.length) / covered));
  for (const { ink, at } of placed) {
    const radius = Math.min(ink.width / 2, Math.max(0.8, (ink.width / 2) * shrink));
    const discs = (size: number) => {
      for (let i = 0; i < at.length; i += 2) drawDisc(canvas, at[i]!, at[i + 1]!, size);
    };
    if (ink.outline && radius >= 2) {
      discs(radius + ink.outline.width);
      paintMask(canvas, parseColour(ink.outline.colour), 0.9);
    }
    discs(radius);
    paintMask(canvas, parseColour(ink.colour), ink.opacity);
  }
}

/** Positions in the buffer of a tile belong to a neighbouring one. */
function positionsIn({ type, path: { coordinates }, extent, scale, left, top }: PlacedFeature): number[] {
  const found: number[] = [];
  if (type !== pointType) return found;
  for (let at = 0; at < coordinates.length; at += 2) {
    const [x, y] = [coordinates[at]!, coordinates[at + 1]!];
    if (x >= 0 && y >= 0 && x < extent && y < extent) found.push(left + x * scale, top + y * scale);
  }
  return found;
}
