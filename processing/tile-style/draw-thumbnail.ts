import { writePng } from '@platen/formats/png/write-png';
import { createCanvas, paintMask, type Canvas } from '@platen/geo/canvas/canvas';
import { darken, parseColour, type Colour } from '@platen/geo/canvas/colour';
import { createFill } from '@platen/geo/canvas/fill-rings';
import { createPicture, type Picture } from '@platen/geo/canvas/picture';
import { drawDisc, strokePath } from '@platen/geo/canvas/stroke';
import { lineType, pointType, polygonType } from '@platen/geo/shape/shape';
import { coloursOf } from './colours.ts';
import {
  geometriesOf,
  placeTiles,
  type PlacedTile,
  type ReadTile,
  type VisitPlaced,
} from './placed-tiles.ts';
import { thumbnailHeight, thumbnailWidth, type Tileset } from './thumbnail-view.ts';

interface Drawn extends Tileset {
  /** The names of the layers, the lowest first. */
  readonly layers: readonly string[];
}

const background: Colour = [243, 245, 247];
const white: Colour = [255, 255, 255];
const outlineWidth = 1;
/** Shares of the picture that lines and points may cover: if there are many, each is drawn smaller. */
const lineShare = 0.2;
const pointShare = 0.08;

/** Draws a tileset as it would look on a map, polygons below lines below points. @returns a PNG of 600 × 400 pixels */
export async function drawThumbnail({ layers, ...tileset }: Drawn, read: ReadTile): Promise<Uint8Array> {
  const { rgba, width, height } = await paintThumbnail({ layers, ...tileset }, read);
  return writePng(rgba, width, height);
}

/** Like drawThumbnail, but not encoded. */
export async function paintThumbnail({ layers, ...tileset }: Drawn, read: ReadTile): Promise<Picture> {
  return paintTiles(await placeTiles(tileset, read), layers);
}

/** Draws the layers in this order, each in its colour. @returns a picture of 600 × 400 pixels */
export function paintTiles(tiles: readonly PlacedTile[], layers: readonly string[]): Picture {
  const canvas = createCanvas(createPicture(thumbnailWidth, thumbnailHeight, background));
  const colours = coloursOf(layers).map(parseColour);
  for (const drawKind of [drawPolygons, drawLines, drawPoints]) {
    for (const [i, layer] of layers.entries()) drawKind(canvas, geometriesOf(tiles, layer), colours[i]!);
  }
  return canvas;
}

function drawPolygons(canvas: Canvas, visitAll: VisitPlaced, colour: Colour): void {
  const fill = createFill(canvas);
  visitAll(({ geometry, clip, ...placement }) => {
    if (geometry.type === polygonType) fill(geometry, placement, clip);
  });
  paintMask(canvas, colour, 0.4);
  visitAll(({ geometry, ...placement }) => {
    if (geometry.type !== polygonType) return;
    strokePath(canvas, geometry, { ...placement, width: outlineWidth, isRing: true });
  });
  paintMask(canvas, darken(colour), 0.45);
}

function drawLines(canvas: Canvas, visitAll: VisitPlaced, colour: Colour): void {
  let length = 0;
  visitAll(({ geometry: { type, coordinates, partEnds }, scale }) => {
    if (type === lineType) length += scale * lengthOf(coordinates, partEnds);
  });
  const width = Math.min(1.5, Math.max(0.5, (lineShare * canvas.mask.length) / length));
  visitAll(({ geometry, ...placement }) => {
    if (geometry.type !== lineType) return;
    strokePath(canvas, geometry, { ...placement, width, isRing: false });
  });
  paintMask(canvas, colour, 0.9);
}

function lengthOf(coordinates: Int32Array, partEnds: readonly number[]): number {
  let length = 0;
  let start = 0;
  for (const end of partEnds) {
    for (let at = (start + 1) * 2; at < end * 2; at += 2) {
      length += Math.hypot(
        coordinates[at]! - coordinates[at - 2]!,
        coordinates[at + 1]! - coordinates[at - 1]!,
      );
    }
    start = end;
  }
  return length;
}

function drawPoints(canvas: Canvas, visitAll: VisitPlaced, colour: Colour): void {
  const points: number[] = [];
  visitAll(({ geometry: { type, coordinates, positionCount }, scale, left, top, extent }) => {
    if (type !== pointType) return;
    for (let at = 0; at < positionCount * 2; at += 2) {
      const [x, y] = [coordinates[at]!, coordinates[at + 1]!];
      // positions in the buffer belong to a neighbouring tile
      if (x >= 0 && y >= 0 && x < extent && y < extent) points.push(left + x * scale, top + y * scale);
    }
  });
  const share = (pointShare * canvas.mask.length) / (points.length / 2);
  const radius = Math.min(4, Math.max(0.7, Math.sqrt(share / Math.PI)));
  const drawDiscs = (size: number, colourOfDiscs: Colour): void => {
    for (let at = 0; at < points.length; at += 2) drawDisc(canvas, points[at]!, points[at + 1]!, size);
    paintMask(canvas, colourOfDiscs, 0.85);
  };
  if (radius >= 2) drawDiscs(radius + 1, white);
  drawDiscs(radius, colour);
}
