import type { PixelPlaces } from '@platen/geo/raster/control-grid';
import { blendBelow } from '@platen/geo/raster/feather';
import { wordsOf } from '@platen/geo/raster/words';
import { warpRgba, type WarpedImage } from '@platen/geo/raster/warp-rgba';
import { pixelMetres, tileSide, type MercatorBox } from './mercator-frame.ts';

/** A square of whole tiles of a zoom of web mercator, in pixels. */
export interface MosaicSquare {
  readonly zoom: number;
  /** Pixels of the zoom that are left of it and above. */
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** A tile of a square, which is filled by one sheet after the other. */
export interface MosaicTile {
  /** In the square, in pixels. */
  readonly left: number;
  readonly top: number;
  readonly box: MercatorBox;
  /** How far each pixel is covered, where sheets fade into each other. */
  readonly cover: Uint8Array | undefined;
  isFull: boolean;
}

/** @param fades whether several sheets are in a part, and fade into each other */
export function tilesOf(square: MosaicSquare, fades: (box: MercatorBox) => boolean): MosaicTile[] {
  const perSide = square.side / tileSide;
  return Array.from({ length: perSide ** 2 }, (_, i) => {
    const [left, top] = [(i % perSide) * tileSide, Math.floor(i / perSide) * tileSide];
    const { zoom } = square;
    const box = boxOf({ zoom, left: square.left + left, top: square.top + top, side: tileSide });
    return { left, top, box, cover: fades(box) ? new Uint8Array(tileSide ** 2) : undefined, isFull: false };
  });
}

export function boxOf({ zoom, left, top, side }: MosaicSquare): MercatorBox {
  const metres = pixelMetres(zoom);
  const half = (pixelMetres(0) * tileSide) / 2;
  return [
    left * metres - half,
    half - (top + side) * metres,
    (left + side) * metres - half,
    half - top * metres,
  ];
}

/** What a sheet has for a tile. */
export interface TileSource {
  readonly places: PixelPlaces;
  readonly image: WarpedImage;
  /** How much each pixel counts; without, all do wholly. */
  readonly weights: WarpedImage | undefined;
}

/** Makes what puts a sheet below those that are in a tile of a square already. */
export function createTileFiller() {
  const pixels = tileSide ** 2;
  const below = { rgba: new Uint8Array(pixels * 4), weights: new Uint8Array(pixels * 4) };
  const target = { rgba: new Uint8Array(pixels * 4), cover: new Uint8Array(0) };
  return (
    { rgba, side }: { readonly rgba: Uint8Array; readonly side: number },
    tile: MosaicTile,
    { places, image, weights }: TileSource,
  ): void => {
    const { left, top, cover } = tile;
    if (!cover || !weights) {
      warpRgba({ rgba, stride: side, left, top }, places, image);
      tile.isFull = isFull(rgba, side, tile);
      return;
    }
    below.rgba.fill(0);
    below.weights.fill(0);
    warpRgba({ rgba: below.rgba, stride: tileSide, left: 0, top: 0 }, places, image);
    warpRgba({ rgba: below.weights, stride: tileSide, left: 0, top: 0 }, places, weights);
    copyTile(rgba, target.rgba, { side, left, top, isInto: false });
    blendBelow({ ...target, cover }, below);
    copyTile(rgba, target.rgba, { side, left, top, isInto: true });
    tile.isFull = cover.every((one) => one === 255);
  };
}

interface TilePlace {
  readonly side: number;
  readonly left: number;
  readonly top: number;
  /** From the tile into the square. */
  readonly isInto: boolean;
}

function copyTile(square: Uint8Array, tile: Uint8Array, { side, left, top, isInto }: TilePlace): void {
  const bytes = tileSide * 4;
  for (let row = 0; row < tileSide; row++) {
    const at = ((top + row) * side + left) * 4;
    if (isInto) square.set(tile.subarray(row * bytes, (row + 1) * bytes), at);
    else tile.set(square.subarray(at, at + bytes), row * bytes);
  }
}

function isFull(rgba: Uint8Array, side: number, { left, top }: MosaicTile): boolean {
  const words = wordsOf(rgba);
  for (let row = top; row < top + tileSide; row++) {
    const start = row * side + left;
    for (let at = start; at < start + tileSide; at++) if (words[at]! >>> 24 === 0) return false;
  }
  return true;
}
