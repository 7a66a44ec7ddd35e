import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { BytesError } from '@platen/formats/bytes/bytes';
import { findCrs, type Crs } from '@platen/formats/crs/find-crs';
import type { DegreeCells } from '@platen/geo/terrain/cells-in-rings';
import {
  cellDegrees,
  latitudeOfCell,
  longitudeOfCell,
  type BlockPlace,
} from '@platen/geo/terrain/height-grid';
import type { Layers } from '../features/layers.ts';
import { JobFailure } from '../job-type.ts';
import { openScratchFile } from '../kit/scratch-file.ts';
import { createTileLog } from '../kit/tile-log.ts';
import { createWarningCounter } from '../kit/warning-counter.ts';
import { countContours } from './output/contour-layer.ts';
import { createTileMaker } from './output/tile-maker.ts';
import { openBlockStore } from './pyramid/block-store.ts';
import { createFinalCells } from './pyramid/final-cells.ts';
import {
  divideCells,
  emptyBlocks,
  isFullUnit,
  keepQuarters,
  shrinkBlocks,
  shrinkFour,
  type Blocks,
} from './pyramid/make-unit.ts';
import { createCellConverter } from './pyramid/convert-cells.ts';
import { createPixelPlaces, placePixels } from './pyramid/pixel-places.ts';
import { createSheetSampler } from './pyramid/sample-sheet.ts';
import { createSheetHeights } from './pyramid/sheet-heights.ts';
import { signSurroundings } from './pyramid/sign-surroundings.ts';
import { packUnit, readBlock, readUnitIndex } from './pyramid/unit-file.ts';
import {
  blocksOfUnit,
  indexInUnit,
  layerOfZoom,
  layersOf,
  type ZoomLayer,
} from '../raster-source/zoom-layers.ts';
import { openCells } from './sheets/open-cells.ts';
import type { CellReader } from './sheets/sheet.ts';
import { highestZoomOf } from './pyramid/pyramid-shape.ts';
import type { Answer, MadeUnit, Setup, Task } from './tasks.ts';
import { flattenWithin, levelCells } from './water/flatten-water.ts';
import { openWaterPolygons } from './water/water-polygons.ts';

const maxOpenSheets = 16;

export interface TerrainWorker {
  /** Reads sheets into the base of the pyramid, makes its other zooms, and tiles of it. */
  readonly handle: (task: Task) => Promise<Answer>;
  close(): Promise<void>;
}

/** Handles the tasks of one thread. @param beforeTile is awaited before each tile */
export function createTerrainWorker(setup: Setup, beforeTile?: () => Promise<void>): TerrainWorker {
  const { shape, folder, attempt, worker, memory, settings } = setup;
  const layers = layersOf(shape);
  const warnings = createWarningCounter();
  const file = openScratchFile(join(folder, `pyramid-${attempt}-${worker}`));
  const log = createTileLog(folder, `tiles-${attempt}-${worker}`);
  const store = openBlockStore(shape, memory.blockBytes);
  const water = setup.water && openWaterPolygons(setup.water, memory.waterBytes);
  const finalCells = createFinalCells({
    shape,
    store,
    fillHoles: settings.fillHoles,
    cacheBytes: memory.blockBytes,
  });
  const makeTile = createTileMaker(setup, finalCells, water);
  const heightsOf = createSheetHeights(setup);
  const systems = new Map<string, Crs>();
  const closing = new Set<Promise<void>>();
  const readers = new LRUCache<number, Promise<CellReader>>({
    max: maxOpenSheets,
    dispose: (reader) => void closing.add(reader.then((open) => open.close()).catch(() => {})),
  });
  const readerOf = (number: number): Promise<CellReader> => {
    let reader = readers.get(number);
    if (reader === undefined) {
      reader = openCells(setup.sheets[number]!, memory.sheetBytes / maxOpenSheets);
      readers.set(number, reader);
    }
    return reader;
  };
  const crsOf = (text: string): Crs => {
    let crs = systems.get(text);
    if (crs === undefined) systems.set(text, (crs = findCrs(text)));
    return crs;
  };
  const keep = (unit: BlockPlace, layer: ZoomLayer, blocks: Blocks): MadeUnit => {
    const isFull = isFullUnit(blocks, unit, layer);
    shrinkBlocks(blocks, unit, shape, layer);
    const hasData = Uint8Array.from(blocks, (block) => (block === undefined ? 0 : 1));
    if (!hasData.includes(1)) return { unit, range: undefined, hasData, isFull };
    const start = file.length;
    file.append(packUnit(blocks));
    file.flush();
    return { unit, range: { path: file.path, start, end: file.length }, hasData, isFull };
  };

  /** The cells of a square of blocks, numbered in squares of this many cells. */
  const squareOf = ({ z, x, y }: BlockPlace, side: number): DegreeCells => {
    const step = cellDegrees(shape.grid, z);
    return { west: x * side * step - 180, north: 90 - y * side * step, step, side };
  };

  const sampleSheet = createSheetSampler();
  const baseSide = shape.grid.side * 2 ** (layers[0]!.bottomZoom - layers[0]!.rootZoom);
  // fresh memory takes as long as the work
  const pixelPlaces = createPixelPlaces(baseSide);
  const convertCells = createCellConverter();
  const sample = async (unit: BlockPlace, sheets: readonly number[]) => {
    const layer = layers[0]!;
    const width = baseSide;
    const cells = new Float32Array(width * width).fill(NaN);
    const { baseZoom, grid } = shape;
    const lons = Float64Array.from({ length: width }, (_, i) =>
      longitudeOfCell(grid, baseZoom, unit.x * width + i),
    );
    const lats = Float64Array.from({ length: width }, (_, i) =>
      latitudeOfCell(grid, baseZoom, unit.y * width + i),
    );
    for (const number of sheets) {
      const sheet = setup.sheets[number]!;
      try {
        const places = placePixels(sheet, crsOf(sheet.crs), { lons, lats }, pixelPlaces);
        const reader = await readerOf(number);
        const { taken, spikes } = await sampleSheet(cells, places, {
          sheet,
          reader,
          metresPerUnit: sheet.metresPerUnit,
        });
        if (spikes > 0)
          warnings.warn(
            'heightSpikes',
            spikesMessage(sheet.name),
            { file: sheet.name, pixels: spikes },
            spikes,
          );
        convertCells({ cells, lons, lats }, taken, await heightsOf(sheet));
      } catch (error) {
        if (!(error instanceof BytesError)) throw error;
        const message = `${sheet.name} cannot be read here: ${error.message}.`;
        if (settings.strict) throw new JobFailure('brokenFile', message, { cause: error });
        warnings.warn('unreadableSheet', message, { file: sheet.name, reason: message });
      }
    }
    const square = squareOf({ z: baseZoom, x: unit.x, y: unit.y }, width);
    const beyond = water === undefined ? [] : flattenWithin(cells, square, water);
    return { made: keep(unit, layer, divideCells(cells, unit, shape, layer)), water: beyond };
  };

  const flatten = ({ unit, range, levels }: Extract<Task, { kind: 'flatten' }>): MadeUnit => {
    const layer = layerOfZoom(layers, unit.z);
    const blocks = emptyBlocks(unit, layer);
    const index = readUnitIndex(range, blocks.length);
    for (const place of blocksOfUnit(unit, layer)) {
      const number = indexInUnit(place, unit);
      const cells = place.z === layer.bottomZoom ? readBlock(index, number) : undefined;
      if (cells === undefined) continue;
      levelCells(cells, squareOf(place, shape.grid.side), { polygons: water!, levels });
      blocks[number] = cells;
    }
    return keep(unit, layer, blocks);
  };

  const combine = ({ unit, kept }: Extract<Task, { kind: 'combine' }>): MadeUnit => {
    const layer = layerOfZoom(layers, unit.z);
    const blocks = emptyBlocks(unit, layer);
    if (kept) keepQuarters(blocks, kept, { unit, layer, side: shape.grid.side });
    for (const place of blocksOfUnit(unit, layer)) {
      const { z, x, y } = place;
      if (z !== layer.bottomZoom) continue;
      const index = indexInUnit(place, unit);
      blocks[index] = shrinkFour(
        shape.grid.side,
        (quarter) => store.block({ z: z + 1, x: 2 * x + (quarter & 1), y: 2 * y + (quarter >> 1) }),
        blocks[index],
      );
    }
    return keep(unit, layer, blocks);
  };

  const handle = async (task: Task): Promise<Answer> => {
    switch (task.kind) {
      case 'sample':
        return { kind: 'unit', ...(await sample(task.unit, task.sheets)), warnings: warnings.take() };
      case 'flatten':
        return { kind: 'unit', made: flatten(task), warnings: [], water: [] };
      case 'combine':
        store.know(task.below);
        return { kind: 'unit', made: combine(task), warnings: [], water: [] };
      case 'surroundings':
        store.know(task.units);
        return { kind: 'surroundings', signature: signSurroundings(finalCells, task.unit, shape.grid) };
      case 'tiles': {
        store.know(task.units);
        log.begin();
        const lines: Layers = new Map();
        for (const order of task.tiles) {
          await beforeTile?.();
          const tile = await makeTile(order);
          if (tile === undefined) continue;
          log.add(tile.z, tile.tileId, tile.packed);
          const { z } = order.place;
          if (z === highestZoomOf(setup)) countContours(lines, tile.contours ?? [], z);
        }
        return { kind: 'tiles', tiles: log.end(), lines };
      }
    }
  };

  return {
    handle,
    async close() {
      file.close();
      log.close();
      readers.clear();
      await Promise.all(closing);
    },
  };
}

function spikesMessage(name: string): string {
  return `${name} has heights that no ground has, such as fills that it does not declare. They are taken as no data.`;
}
