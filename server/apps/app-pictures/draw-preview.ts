import { readIndexedPng } from '@platen/formats/png/read-indexed-png';
import { writePngAsync } from '@platen/formats/png/write-png';
import { createCanvas, fillBox, paintMask, type Canvas } from '@platen/geo/canvas/canvas';
import type { Colour } from '@platen/geo/canvas/colour';
import { copyPicture, createPicture, type Picture } from '@platen/geo/canvas/picture';
import { enlargePicture, type Crop } from '@platen/geo/canvas/resize-picture';
import { drawDisc } from '@platen/geo/canvas/stroke';
import { worldMaxZoom } from '@platen/viewer/world-module';
import type { FindWorldTile } from '../app-pages/world-tiles.ts';
import { previewHeight, previewWidth, type Mark, type View } from './view.ts';

const tilePixels = 256;
const markColour: Colour = [0xd9, 0x5f, 0x0e];
const white: Colour = [255, 255, 255];

/** The part of the world as our base layer shows it, with the mark. @returns a PNG of 1200 × 630 pixels */
export async function drawPreview(view: View, findTile: FindWorldTile): Promise<Uint8Array> {
  const { mosaic, crop } = await collectTiles(view, findTile);
  const canvas = createCanvas(enlargePicture(mosaic, crop, previewWidth, previewHeight));
  if (view.mark) paintMark(canvas, view.mark);
  return writePngAsync(canvas.rgba, previewWidth, previewHeight);
}

/** The tiles that the picture shows side by side, and which part of them it is. */
async function collectTiles(
  { worldPixels, left, top }: View,
  findTile: FindWorldTile,
): Promise<{ mosaic: Picture; crop: Crop }> {
  const zoom = Math.max(0, Math.min(worldMaxZoom, Math.floor(Math.log2(worldPixels / tilePixels))));
  const side = 2 ** zoom;
  const step = (side * tilePixels) / worldPixels;
  const [fromX, fromY] = [-left * step, -top * step];
  // One more pixel on each side, as those at the edge are interpolated with their neighbours.
  const firstX = Math.floor((fromX - 1) / tilePixels);
  const firstY = Math.max(0, Math.floor((fromY - 1) / tilePixels));
  const lastX = Math.floor((fromX + previewWidth * step + 1) / tilePixels);
  const lastY = Math.min(side - 1, Math.floor((fromY + previewHeight * step + 1) / tilePixels));
  const mosaic = createPicture((lastX - firstX + 1) * tilePixels, (lastY - firstY + 1) * tilePixels);
  for (let y = firstY; y <= lastY; y++) {
    for (let x = firstX; x <= lastX; x++) {
      const tile = await findTile(zoom, ((x % side) + side) % side, y);
      if (!tile) throw new Error(`The base layer has no tile ${zoom}/${x}/${y}.`);
      copyPicture(mosaic, readIndexedPng(tile.bytes), (x - firstX) * tilePixels, (y - firstY) * tilePixels);
    }
  }
  return {
    mosaic,
    crop: { left: fromX - firstX * tilePixels, top: fromY - firstY * tilePixels, step },
  };
}

function paintMark(canvas: Canvas, mark: Mark): void {
  if (mark.type === 'point') {
    for (const [radius, colour] of [
      [15, white],
      [11, markColour],
    ] as const) {
      drawDisc(canvas, mark.x, mark.y, radius);
      paintMask(canvas, colour, 1);
    }
    return;
  }
  const [left, top, right, bottom] = [mark.left, mark.top, mark.right, mark.bottom].map(Math.round) as [
    number,
    number,
    number,
    number,
  ];
  fillBox(canvas, { left, top, right, bottom });
  paintMask(canvas, markColour, 0.14);
  for (const { outset, width, colour } of [
    { outset: 5, width: 2, colour: white },
    { outset: 3, width: 3, colour: markColour },
  ]) {
    const [l, t, r, b] = [left - outset, top - outset, right + outset, bottom + outset];
    fillBox(canvas, { left: l, top: t, right: r, bottom: t + width });
    fillBox(canvas, { left: l, top: b - width, right: r, bottom: b });
    fillBox(canvas, { left: l, top: t, right: l + width, bottom: b });
    fillBox(canvas, { left: r - width, top: t, right: r, bottom: b });
    paintMask(canvas, colour, 1);
  }
}
