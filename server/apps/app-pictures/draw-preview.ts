import { readIndexedPng } from '@platen/formats/png/read-indexed-png';
import { writePngAside } from '@platen/formats/png/write-png';
import { worldMaxZoom } from '@platen/viewer/world-module';
import type { FindWorldTile } from '../app-pages/world-tiles.ts';
import { previewHeight, previewWidth, type Mark, type View } from './view.ts';

const tilePixels = 256;
const markColour = [0xd9, 0x5f, 0x0e] as const;
const white = [255, 255, 255] as const;

/** The part of the world as our base layer shows it, with the mark. @returns a PNG of 1200 × 630 pixels */
export async function drawPreview(view: View, findTile: FindWorldTile): Promise<Uint8Array> {
  const rgba = new Uint8ClampedArray(previewWidth * previewHeight * 4).fill(255);
  paintWorld(rgba, await collectTiles(view, findTile));
  if (view.mark) paintMark(rgba, view.mark);
  return writePngAside(rgba, previewWidth, previewHeight);
}

/** The pixels of some tiles that lie side by side, red, green and blue; rows beyond the world repeat its edge. */
interface Mosaic {
  readonly rgb: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Of the picture in pixels of the mosaic: where its north-western corner lies, and how large a pixel of it is. */
  readonly left: number;
  readonly top: number;
  readonly step: number;
}

async function collectTiles({ worldPixels, left, top }: View, findTile: FindWorldTile): Promise<Mosaic> {
  const zoom = Math.max(0, Math.min(worldMaxZoom, Math.floor(Math.log2(worldPixels / tilePixels))));
  const side = 2 ** zoom;
  const step = (side * tilePixels) / worldPixels;
  const [fromX, fromY] = [-left * step, -top * step];
  // one more pixel on each side, between which those at the edge are mixed
  const [firstX, firstY] = [fromX - 1, fromY - 1].map((from) => Math.floor(from / tilePixels)) as [
    number,
    number,
  ];
  const lastX = Math.floor((fromX + previewWidth * step + 1) / tilePixels);
  const lastY = Math.floor((fromY + previewHeight * step + 1) / tilePixels);
  const width = (lastX - firstX + 1) * tilePixels;
  const height = (lastY - firstY + 1) * tilePixels;
  const rgb = new Uint8Array(width * height * 3);
  for (let y = firstY; y <= lastY; y++) {
    for (let x = firstX; x <= lastX; x++) {
      const row = Math.min(side - 1, Math.max(0, y));
      const tile = await findTile(zoom, ((x % side) + side) % side, row);
      if (!tile) throw new Error(`The base layer has no tile ${zoom}/${x}/${row}.`);
      const { palette, pixels } = readIndexedPng(tile.bytes);
      for (let pixel = 0; pixel < pixels.length; pixel++) {
        const at = (y - firstY) * tilePixels + (row === y ? pixel >> 8 : y < 0 ? 0 : tilePixels - 1);
        const to = (at * width + (x - firstX) * tilePixels + (pixel & 255)) * 3;
        const colour = pixels[pixel]! * 3;
        for (let i = 0; i < 3; i++) rgb[to + i] = palette[colour + i]!;
      }
    }
  }
  return { rgb, width, height, left: fromX - firstX * tilePixels, top: fromY - firstY * tilePixels, step };
}

/** Each pixel is mixed of the four that lie around it. */
function paintWorld(rgba: Uint8ClampedArray, { rgb, width, left, top, step }: Mosaic): void {
  for (let y = 0, to = 0; y < previewHeight; y++) {
    const fromY = top + (y + 0.5) * step - 0.5;
    const row = Math.floor(fromY);
    const down = fromY - row;
    for (let x = 0; x < previewWidth; x++, to += 4) {
      const fromX = left + (x + 0.5) * step - 0.5;
      const column = Math.floor(fromX);
      const right = fromX - column;
      const at = (row * width + column) * 3;
      for (let i = 0; i < 3; i++) {
        const upper = rgb[at + i]! * (1 - right) + rgb[at + 3 + i]! * right;
        const lower = rgb[at + width * 3 + i]! * (1 - right) + rgb[at + (width + 1) * 3 + i]! * right;
        rgba[to + i] = upper * (1 - down) + lower * down;
      }
    }
  }
}

type Colour = readonly [number, number, number];

function paintMark(rgba: Uint8ClampedArray, mark: Mark): void {
  if (mark.type === 'point') {
    paintDisc(rgba, mark, 15, white);
    paintDisc(rgba, mark, 11, markColour);
    return;
  }
  const box = {
    left: Math.round(mark.left),
    top: Math.round(mark.top),
    right: Math.round(mark.right),
    bottom: Math.round(mark.bottom),
  };
  paintBox(rgba, box, markColour, 0.14);
  for (const [inset, colour] of [
    [-5, white],
    [-3, markColour],
  ] as const) {
    const thick = inset === -5 ? 2 : 3;
    const [l, t, r, b] = [box.left + inset, box.top + inset, box.right - inset, box.bottom - inset];
    paintBox(rgba, { left: l, top: t, right: r, bottom: t + thick }, colour, 1);
    paintBox(rgba, { left: l, top: b - thick, right: r, bottom: b }, colour, 1);
    paintBox(rgba, { left: l, top: t, right: l + thick, bottom: b }, colour, 1);
    paintBox(rgba, { left: r - thick, top: t, right: r, bottom: b }, colour, 1);
  }
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function paintBox(rgba: Uint8ClampedArray, box: Box, colour: Colour, opacity: number): void {
  for (let y = Math.max(0, box.top); y < Math.min(previewHeight, box.bottom); y++)
    for (let x = Math.max(0, box.left); x < Math.min(previewWidth, box.right); x++)
      mix(rgba, x, y, colour, opacity);
}

function paintDisc(
  rgba: Uint8ClampedArray,
  { x, y }: { x: number; y: number },
  radius: number,
  colour: Colour,
): void {
  for (let row = Math.floor(y - radius - 1); row <= y + radius + 1; row++) {
    for (let column = Math.floor(x - radius - 1); column <= x + radius + 1; column++) {
      if (row < 0 || column < 0 || row >= previewHeight || column >= previewWidth) continue;
      const coverage = radius + 0.5 - Math.hypot(column + 0.5 - x, row + 0.5 - y);
      mix(rgba, column, row, colour, Math.min(1, Math.max(0, coverage)));
    }
  }
}

function mix(rgba: Uint8ClampedArray, x: number, y: number, colour: Colour, opacity: number): void {
  const at = (y * previewWidth + x) * 4;
  for (let i = 0; i < 3; i++) rgba[at + i]! += (colour[i]! - rgba[at + i]!) * opacity;
}
