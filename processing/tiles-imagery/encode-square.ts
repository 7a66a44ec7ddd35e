import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { fillHidden } from '@platen/geo/raster/fill-hidden';
import { packRgb } from '@platen/geo/raster/pack-rgb';
import { joinRgba, splitRgba } from '@platen/geo/raster/rgb-square';
import { wordsOf } from '@platen/geo/raster/words';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import { withTables } from '../kit/images/encode-tiles.ts';
import type { ImageCodec } from '../kit/images/image-codec.ts';
import { hashTile, type PackedTile } from '../kit/pack-tile.ts';
import type { Settings } from './settings.ts';

/** Pixels a side. */
export const tileSide = 256;
/** Above it, libvips writes the colours of JPEG in TIFF in a way that map viewers mistake. */
const maxJpegQuality = 89;

export interface EncodedTile {
  readonly tileId: number;
  readonly tile: PackedTile;
}

/** Encodes the tiles of a square of RGBA, in the order of their ids, without those in which nothing is shown. */
export type EncodeSquare = (rgba: Uint8Array, corner: BlockPlace) => Promise<EncodedTile[]>;

export function createTileEncoder(codec: ImageCodec, settings: Settings): EncodeSquare {
  const { format, background } = settings;
  const encodeOne = oneEncoder(codec, settings);
  // fresh memory takes as long as the work
  const tile = new Uint8Array(tileSide ** 2 * 4);
  /** By its size. */
  const flat = new Map<number, Uint8Array>();
  const flatten = (rgba: Uint8Array): Uint8Array => {
    const bytes = (rgba.length / 4) * 3;
    const rgb = flat.getOrInsertComputed(bytes, () => new Uint8Array(bytes));
    putOverBackground(rgb, rgba, background);
    return rgb;
  };
  return async (rgba, corner) => {
    const side = Math.sqrt(rgba.length / 4);
    const places = placesIn(corner, side / tileSide);
    const words = wordsOf(rgba);
    const kinds = places.map((place) => kindOf(words, side, place));
    const isJpeg = (kind: TileKind): boolean =>
      format === 'jpeg' ? kind !== 'empty' : format === 'auto' && kind === 'opaque';
    const jpegs = kinds.some(isJpeg) ? await encodeJpegs(codec, flatten(rgba), settings) : [];
    const tiles: EncodedTile[] = [];
    // one after the other: a worker keeps one core busy
    for (const [i, place] of places.entries()) {
      if (kinds[i] === 'empty') continue;
      const bytes = isJpeg(kinds[i]!)
        ? jpegs[place.number]!
        : await encodeOne(cutTile(rgba, side, { place, tile }), kinds[i]!);
      tiles.push({ tileId: place.tileId, tile: { bytes, ...hashTile(bytes) } });
    }
    return tiles;
  };
}

interface TileInSquare {
  readonly tileId: number;
  /** Row by row. */
  readonly number: number;
  readonly column: number;
  readonly row: number;
}

function placesIn({ z, x, y }: BlockPlace, perSide: number): TileInSquare[] {
  const places = Array.from({ length: perSide ** 2 }, (_, number) => {
    const [column, row] = [number % perSide, Math.floor(number / perSide)];
    return { tileId: tileIdOf(z, x + column, y + row), number, column, row };
  });
  return places.toSorted((a, b) => a.tileId - b.tileId);
}

interface TileCut {
  readonly place: TileInSquare;
  /** What it is written to. */
  readonly tile: Uint8Array;
}

function cutTile(rgba: Uint8Array, side: number, { place: { column, row }, tile }: TileCut): Uint8Array {
  if (side === tileSide) return rgba;
  for (let line = 0; line < tileSide; line++) {
    const from = ((row * tileSide + line) * side + column * tileSide) * 4;
    tile.set(rgba.subarray(from, from + tileSide * 4), line * tileSide * 4);
  }
  return tile;
}

type TileKind = 'empty' | 'mixed' | 'opaque';

function kindOf(words: Int32Array, side: number, { column, row }: TileInSquare): TileKind {
  let [all, any] = [-1, 0];
  for (let line = 0; line < tileSide; line++) {
    const from = (row * tileSide + line) * side + column * tileSide;
    for (let at = from; at < from + tileSide; at++) {
      all &= words[at]!;
      any |= words[at]!;
    }
    if (any >>> 24 !== 0 && all >>> 24 !== 255) return 'mixed';
  }
  return any >>> 24 === 0 ? 'empty' : 'opaque';
}

/** Red, green and blue over a background. */
function putOverBackground(
  rgb: Uint8Array,
  rgba: Uint8Array,
  background: readonly [number, number, number],
): void {
  const words = wordsOf(rgba);
  if (packRgb(words, new Int32Array(rgb.buffer, rgb.byteOffset, (words.length / 4) * 3))) return;
  const [red, green, blue] = background;
  const over = (value: number, below: number, alpha: number): number =>
    (value * alpha + below * (255 - alpha)) / 255 + 0.5;
  for (let pixel = 0, to = 0; pixel < words.length; pixel++, to += 3) {
    const word = words[pixel]!;
    const alpha = word >>> 24;
    if (alpha === 255) {
      rgb[to] = word & 255;
      rgb[to + 1] = (word >>> 8) & 255;
      rgb[to + 2] = (word >>> 16) & 255;
    } else if (alpha === 0) {
      rgb[to] = red;
      rgb[to + 1] = green;
      rgb[to + 2] = blue;
    } else {
      rgb[to] = over(word & 255, red, alpha);
      rgb[to + 1] = over((word >>> 8) & 255, green, alpha);
      rgb[to + 2] = over((word >>> 16) & 255, blue, alpha);
    }
  }
}

async function encodeJpegs(codec: ImageCodec, rgb: Uint8Array, { quality }: Settings): Promise<Uint8Array[]> {
  const side = Math.sqrt(rgb.length / 3);
  const { tiles, tables } = await codec.encodeTiles(
    { width: side, height: side, bands: 3, samples: rgb },
    { format: 'jpeg', quality: Math.min(maxJpegQuality, quality), side: tileSide },
  );
  return tiles.map((tile) => withTables(tile, tables));
}

/** Encodes what is no JPEG. */
function oneEncoder(codec: ImageCodec, { format, quality, isLossless }: Settings) {
  const isLossy = format === 'avif' || (format === 'webp' && !isLossless);
  const colourHidden = isLossy ? createHiddenColours() : undefined;
  const encoding =
    format === 'webp'
      ? ({ format, quality, isLossless, keepsHidden: true, effort: isLossless ? 0 : 2 } as const)
      : format === 'avif'
        ? ({ format, quality, effort: 0 } as const)
        : ({ format: 'png' } as const);
  return (rgba: Uint8Array, kind: TileKind): Promise<Uint8Array> => {
    const samples = kind === 'mixed' && colourHidden ? colourHidden(rgba) : rgba;
    return codec.encode({ width: tileSide, height: tileSide, bands: 4, samples }, encoding);
  };
}

/** Creates what gives hidden pixels near shown ones a colour: encoders carry other colours into the picture. */
function createHiddenColours(): (rgba: Uint8Array) => Uint8Array {
  const pixels = tileSide ** 2;
  const tile = { rgb: new Uint8Array(pixels * 3), alpha: new Uint8Array(pixels), side: tileSide };
  const whole = { left: 0, top: 0, side: tileSide };
  const coloured = new Uint8Array(pixels * 4);
  return (rgba) => {
    splitRgba(rgba, tile, whole);
    fillHidden(tile, whole);
    return joinRgba(tile, { width: tileSide, height: tileSide }, coloured);
  };
}
