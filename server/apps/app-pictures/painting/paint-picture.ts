import { readIndexedPng } from '@platen/formats/png/read-indexed-png';
import { createCanvas, type Canvas } from '@platen/geo/canvas/canvas';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import { TileError } from '@platen/geo/mvt/read-tile';
import { paintWorld } from '../paint-world.ts';
import type { View } from '../view.ts';
import { drawFeatures } from './draw-features.ts';
import { paintWorldDetail, type PaintedWorld } from './paint-world-detail.ts';
import { readGeoJson } from './read-geojson.ts';
import { readTiles } from './read-tiles.ts';
import { painterOf } from './style-painter.ts';
import { collectFeatures } from './painted-features.ts';

/** A layer of a map as far as a picture shows it. */
export interface PaintedLayer {
  readonly kind: 'tiles' | 'geojson';
  readonly blobId: string;
  readonly size: number;
  /** A style item of the map viewer; undefined: its default. */
  readonly style: unknown;
}

export interface PaintInput {
  readonly view: Omit<View, 'mark'>;
  /** The world map below the layers. */
  readonly world: PaintedWorld;
  /** The lowest first. */
  readonly layers: readonly PaintedLayer[];
}

export interface PaintHost {
  /** Reads at most a mebibyte of the data of a layer. */
  read(layer: number, offset: number, length: number): Promise<Uint8Array>;
  /** A tile of the world map, as an indexed PNG; undefined if it has none there. */
  worldTile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
  /** Reads the archive of the details of the world. */
  worldDetail(offset: number, length: number): Promise<Uint8Array>;
}

/** Layers for which no time is left are left out: the parser is stopped a few seconds later. */
const maxMs = 5000;

/** Paints a map from above: the world, and the layers in their styles, in 1200 × 630 pixels. */
export async function paintPicture({ view, world, layers }: PaintInput, host: PaintHost): Promise<Canvas> {
  const find = async (z: number, x: number, y: number) => {
    const bytes = await host.worldTile(z, x, y);
    return bytes && readIndexedPng(bytes);
  };
  const canvas = createCanvas(await paintWorld(view, { maxZoom: world.maxZoom, find }));
  const read = (offset: number, length: number) => host.worldDetail(offset, length);
  await paintWorldDetail(canvas, view, { ...world, read });
  const end = performance.now() + maxMs;
  for (const [index, layer] of layers.entries()) {
    if (performance.now() > end) break;
    const read = (offset: number, length: number) => host.read(index, offset, length);
    const features = collectFeatures(painterOf(layer.style));
    try {
      if (layer.kind === 'tiles') await readTiles(read, view, features.add);
      else await readGeoJson(read, layer.size, view, features.add);
    } catch (error) {
      // the others show what there is; the map reports what is wrong with this one
      if (!(error instanceof ArchiveError || error instanceof TileError || error instanceof SyntaxError))
        throw error;
    }
    drawFeatures(canvas, features);
  }
  return canvas;
}
