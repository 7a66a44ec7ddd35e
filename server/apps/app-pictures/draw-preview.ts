import { readIndexedPng } from '@platen/formats/png/read-indexed-png';
import { writePngAsync } from '@platen/formats/png/write-png';
import { createCanvas, fillBox, paintMask, type Canvas } from '@platen/geo/canvas/canvas';
import type { Colour } from '@platen/geo/canvas/colour';
import { drawDisc } from '@platen/geo/canvas/stroke';
import { worldMaxZoom, type WorldMap } from '@platen/viewer/world-module';
import type { Worlds } from '../app-pages/world-tiles.ts';
import { paintWorld } from './paint-world.ts';
import { previewHeight, previewWidth, type Mark, type View } from './view.ts';

const markColour: Colour = [0xd9, 0x5f, 0x0e];
const white: Colour = [255, 255, 255];

/** A place and its mark on a world map. */
export interface PreviewOrder {
  readonly view: View;
  readonly world: WorldMap;
}

/** The part of the world as our base layer shows it, with the mark. @returns a PNG of 1200 × 630 pixels */
export async function drawPreview({ view, world: map }: PreviewOrder, worlds: Worlds): Promise<Uint8Array> {
  const world = await paintWorld(view, {
    maxZoom: worldMaxZoom,
    async find(z, x, y) {
      const tile = await worlds[map](z, x, y);
      return tile && readIndexedPng(tile.bytes);
    },
  });
  const canvas = createCanvas(world);
  if (view.mark) paintMark(canvas, view.mark);
  return writePngAsync(canvas.rgba, previewWidth, previewHeight);
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
