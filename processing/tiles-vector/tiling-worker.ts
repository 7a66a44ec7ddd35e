import { join } from 'node:path';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { tileMargin } from '@platen/geo/mvt/cluster-options';
import { createTileMaker } from '@platen/geo/mvt/tile-maker';
import type { MadeTile } from '@platen/geo/mvt/made-tile';
import { collectGarbageAbove } from '../kit/collect-garbage.ts';
import { openScratchFile } from '../kit/scratch-file.ts';
import { createUnitCutter, type UnitCutter } from './cut-unit.ts';
import { phaseCollectionShare, unitCollectionShare } from './memory.ts';
import { createTilePacker, type PackedTile } from '../kit/pack-tile.ts';
import { createPartParser, type PartParser } from './parse-part.ts';
import { createPartitioner, type Partitioner } from './partition.ts';
import type { Answer, CutSetup, ReadReport, Setup, Task } from './tasks.ts';
import { createTileLog, type TileLog } from '../kit/tile-log.ts';
import { createWarningCounter, type WarningCounter } from '../kit/warning-counter.ts';

export interface TilingWorker {
  handle(task: Task): Promise<Answer>;
  /** Closes the files that are open. */
  close(): Promise<void>;
}

/** Handles the tasks of one thread of the tiler: reads parts of the input, sorts records by place, and cuts tiles. */
export function createTilingWorker(setup: Setup, report: (note: ReadReport) => void): TilingWorker {
  const { memory } = setup;
  const warnings = createWarningCounter();
  let parser: PartParser | undefined;
  let partitioner: Partitioner | undefined;
  let cutting: Cutting | undefined;
  const handle: TilingWorker['handle'] = async (task) => {
    switch (task.kind) {
      case 'parse': {
        parser ??= createPartParser({ ...setup, wordsInMemory: new Int32Array(setup.wordsInMemory) });
        const { weight } = task.input.part;
        let reported = 0;
        const parsed = await parser.parse(task.number, task.input, (share) => {
          if ((share - reported) * weight < 1 << 20) return;
          report({ kind: 'read', bytes: (share - reported) * weight });
          reported = share;
        });
        report({ kind: 'read', bytes: (1 - reported) * weight });
        return { kind: 'parsed', parsed };
      }
      case 'summarise':
        return { kind: 'summary', summary: parser?.summary() };
      case 'reset':
        parser?.close();
        parser = undefined;
        Atomics.store(new Int32Array(setup.wordsInMemory), 0, 0);
        return { kind: 'done' };
      case 'prepareToDivide':
        parser?.close();
        parser = undefined;
        collectGarbageAbove(memory.budgetBytes * phaseCollectionShare);
        partitioner = partitionerOf(setup, task.cut);
        return { kind: 'done' };
      case 'prepareToCut':
        partitioner?.close();
        partitioner = undefined;
        collectGarbageAbove(memory.budgetBytes * phaseCollectionShare);
        cutting = openCutting(setup, task.cut, warnings);
        return { kind: 'done' };
      case 'divide': {
        const shares = partitioner!.divide(task.segment, task.renumbering, task.toFile);
        return { kind: 'divided', shares };
      }
      case 'cut': {
        const { cutter, log } = cutting!;
        log.begin();
        cutter.cut(task.unit, task.sources, task.words);
        collectGarbageAbove(memory.budgetBytes * unitCollectionShare);
        return { kind: 'cut', tiles: log.end(), warnings: warnings.take() };
      }
    }
  };
  return {
    handle,
    async close() {
      parser?.close();
      partitioner?.close();
      cutting?.log.close();
    },
  };
}

interface Cutting {
  readonly cutter: UnitCutter;
  readonly log: TileLog;
}

function partitionerOf(
  { settings: { extent }, folder, worker, attempt }: Setup,
  { plan, encoder }: CutSetup,
): Partitioner {
  return createPartitioner({ folder, worker, attempt, plan, extent, marginOf: marginsOf(encoder) });
}

function marginsOf(encoder: CutSetup['encoder']): (z: number) => number {
  return (z) => tileMargin(encoder, z);
}

function openCutting(
  { settings, folder, worker, attempt, memory }: Setup,
  { maxZoom, maxWords, encoder }: CutSetup,
  warnings: WarningCounter,
): Cutting {
  const { minZoom, extent } = settings;
  const log = createTileLog(folder, `made-${attempt}-${worker}`);
  const pack = createTilePacker(memory.packedTileBytes);
  let packed: PackedTile | undefined;
  let densityLogs = 0;
  const maker = createTileMaker({
    ...encoder,
    gzip: (tile) => (packed = pack(tile)).bytes,
    densityScratch: {
      maxFeaturesInMemory: memory.maxFeaturesMeasured,
      open: () => openScratchFile(join(folder, `density-${attempt}-${worker}-${densityLogs++}`)),
    },
  });
  const cutter = createUnitCutter({
    folder,
    worker,
    attempt,
    minZoom,
    maxZoom,
    extent,
    marginOf: marginsOf(encoder),
    maxWords,
    makeTile({ z, x, y }, features) {
      const made = maker.make(z, x, y, features);
      if (made === undefined) return;
      log.add(z, tileIdOf(z, x, y), packed!);
      warnOfTile(`${z}/${x}/${y}`, made, { settings, warnings });
    },
  });
  return { cutter, log };
}

function warnOfTile(
  tile: string,
  made: MadeTile,
  { settings, warnings }: Pick<Setup, 'settings'> & { readonly warnings: WarningCounter },
): void {
  const { tileLimitBytes, tileLimitFeatures } = settings;
  const { features, refused, dropped, coalesced, unrepaired } = made;
  const kilobytes = Math.ceil(made.packed.length / 1000);
  const limits = `${tileLimitBytes / 1000} kB or ${tileLimitFeatures} features`;
  if (dropped > 0) {
    const message = `Tile ${tile} would have been larger than ${limits}: ${dropped} features were left out where they are densest. Higher zooms contain them.`;
    warnings.warn('tileThinned', message, { tile, dropped, features, kilobytes });
  }
  if (coalesced > 0) {
    const message = `Tile ${tile} would have been larger than ${limits}: ${coalesced} features were joined to their neighbours.`;
    warnings.warn('tileCoalesced', message, { tile, coalesced, features, kilobytes });
  }
  if (made.packed.length > tileLimitBytes || features > tileLimitFeatures) {
    const message = `Tile ${tile} has ${kilobytes} kB and ${features} features; the limits are ${limits}. A higher minimum zoom or fewer attributes make tiles smaller.`;
    warnings.warn('tileTooLarge', message, { tile, kilobytes, features });
  }
  if (refused > 0) {
    const message = `Tile ${tile} is so full that ${refused} of its features did not fit into memory and were left out.`;
    warnings.warn('tileTruncated', message, { tile, refused });
  }
  if (unrepaired > 0) {
    const message = `In tile ${tile}, ${unrepaired} areas intersect themselves in too many places to be repaired and were left unchanged.`;
    warnings.warn('unmendedAreas', message, { tile, areas: unrepaired });
  }
}
