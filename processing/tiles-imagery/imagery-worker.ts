import { join } from 'node:path';
import { halveByMode, halveRgba } from '@platen/geo/raster/halve-pixels';
import { wordsOf } from '@platen/geo/raster/words';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import { requireImageCodec } from '../kit/images/image-codec.ts';
import { openScratchFile } from '../kit/scratch-file.ts';
import { createTileLog } from '../kit/tile-log.ts';
import { createWarningCounter } from '../kit/warning-counter.ts';
import { createMosaicReader } from '../raster-source/read-mosaic.ts';
import { openSheetReader } from '../raster-source/read-sheets.ts';
import { openSheetPixels } from '../raster-source/sheet-pixels.ts';
import { layerOfZoom, layersOf, type ZoomLayer } from '../raster-source/zoom-layers.ts';
import { createTileEncoder, tileSide } from './encode-square.ts';
import { packRoot, unpackRoot } from './root-file.ts';
import type { MadeUnit, Setup, Task } from './tasks.ts';

export interface ImageryWorker {
  /** Makes the pixels of a unit, all its zooms, and tiles of them. */
  readonly handle: (task: Task) => Promise<MadeUnit>;
  close(): Promise<void>;
}

/** Handles the tasks of one thread. */
export async function createImageryWorker(setup: Setup): Promise<ImageryWorker> {
  const { shape, maxZoom, folder, attempt, worker, memory, settings, sheets } = setup;
  const layers = layersOf(shape);
  const codec = await requireImageCodec();
  const warnings = createWarningCounter();
  const roots = openScratchFile(join(folder, `roots-${attempt}-${worker}`));
  const log = createTileLog(folder, `tiles-${attempt}-${worker}`);
  const encodeSquare = createTileEncoder(codec, settings);
  const reader = openSheetReader(sheets, codec, memory.sheetBytes);
  const { resampling, mask } = settings;
  const halve = resampling === 'mode' ? halveByMode : halveRgba;
  const readMosaic = createMosaicReader({
    sheets,
    resampling,
    feather: mask.feather,
    pixels: openSheetPixels({
      sheets,
      reader,
      collar: mask.collar,
      collarPath: join(folder, `collar-${attempt}`),
    }),
    ...(!settings.strict && {
      onBroken: ({ name: file }, { message: reason }) =>
        warnings.warn('unreadableSheet', reason, { file, reason }),
    }),
  });

  const finish = async (unit: BlockPlace, layer: ZoomLayer, rgba: Uint8Array): Promise<MadeUnit> => {
    log.begin();
    let square = rgba;
    for (let z = layer.bottomZoom; ; z--) {
      const perSide = 2 ** (z - layer.rootZoom);
      const corner = { z, x: unit.x * perSide, y: unit.y * perSide };
      if (z >= settings.minZoom && z <= maxZoom)
        for (const { tileId, tile } of await encodeSquare(square, corner)) log.add(z, tileId, tile);
      if (z === layer.rootZoom) break;
      square = halve(square, perSide * tileSide);
    }
    const start = roots.length;
    roots.append(packRoot(halve(square, tileSide)));
    roots.flush();
    const root = { path: roots.path, start, end: roots.length };
    return { unit, root, tiles: log.end(), warnings: warnings.take() };
  };

  const handle = async (task: Task): Promise<MadeUnit> => {
    const { unit } = task;
    const layer = layerOfZoom(layers, unit.z);
    const side = tileSide * 2 ** (layer.bottomZoom - layer.rootZoom);
    if (task.kind === 'sample') {
      const square = { zoom: layer.bottomZoom, left: unit.x * side, top: unit.y * side, side };
      const rgba = await readMosaic(square, task.sheets);
      if (!rgba || !hasShown(rgba)) return { unit, root: undefined, tiles: [], warnings: warnings.take() };
      return finish(unit, layer, rgba);
    }
    const rgba = new Uint8Array(side * side * 4);
    const perSide = side / tileSide;
    for (const { unit: below, root } of task.below) {
      const half = unpackRoot(root);
      const left = (below.x - unit.x * perSide * 2) * (tileSide / 2);
      const top = (below.y - unit.y * perSide * 2) * (tileSide / 2);
      copyInto(rgba, side, { half, left, top });
    }
    return finish(unit, layer, rgba);
  };

  return {
    handle,
    async close() {
      roots.close();
      log.close();
      await reader.close();
    },
  };
}

function hasShown(rgba: Uint8Array): boolean {
  const words = wordsOf(rgba);
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) return true;
  return false;
}

interface Part {
  readonly half: Uint8Array;
  readonly left: number;
  readonly top: number;
}

function copyInto(rgba: Uint8Array, side: number, { half, left, top }: Part): void {
  const bytes = (tileSide / 2) * 4;
  for (let row = 0; row < tileSide / 2; row++)
    rgba.set(half.subarray(row * bytes, (row + 1) * bytes), ((top + row) * side + left) * 4);
}
