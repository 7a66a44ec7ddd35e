import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeDirectory, type Directory } from '@platen/geo/pmtiles/directory';
import { decodeHeader, type ArchiveHeader } from '@platen/geo/pmtiles/header';
import { tileOfId } from '@platen/geo/pmtiles/tile-id';
import type { JobResult } from '@platen/processing/job-type';
import { runTilesVector } from '@platen/processing/tiles-vector/run';
import type { TilesVectorOptions } from '@platen/processing/tiles-vector/spec';
import { testContext } from '@platen/processing/testing-context';

export const examples = join(import.meta.dirname, '../../examples/data');
export const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../../shared/data');

export interface Tiling {
  readonly bytes: Buffer;
  readonly result: JobResult;
  /** Number of warnings by code. */
  readonly warnings: ReadonlyMap<string, number>;
}

/** Runs the tiler on files, in this process and in a folder of its own that is gone afterwards. */
export async function tileFiles(paths: readonly string[], options: TilesVectorOptions): Promise<Tiling> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-tiling-'));
  const outputFolder = join(folder, 'output');
  const scratchFolder = join(folder, 'scratch');
  const warnings = new Map<string, number>();
  try {
    for (const path of [outputFolder, scratchFolder]) await mkdir(path);
    const inputs = await Promise.all(
      paths.map(async (path) => ({ path, name: basename(path), size: (await stat(path)).size })),
    );
    const result = await runTilesVector(
      options,
      testContext({
        inputs,
        outputFolder,
        scratchFolder,
        warn: (code) => void warnings.set(code, (warnings.get(code) ?? 0) + 1),
        reject: (code, _message, _feature, times = 1) =>
          void warnings.set(code, (warnings.get(code) ?? 0) + times),
      }),
    );
    const bytes = await readFile(join(outputFolder, result.datasource!.path));
    return { bytes, result, warnings };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface ReadTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** Decompressed. */
  readonly bytes: Uint8Array;
}

/** Every tile of an archive that is in memory, in the order of its directories. */
export function* tilesOf(archive: Buffer): Generator<ReadTile> {
  const header = decodeHeader(archive);
  const root = archive.subarray(header.rootOffset, header.rootOffset + header.rootLength);
  yield* tilesOfDirectory(archive, header, decodeDirectory(gunzipSync(root)));
}

function* tilesOfDirectory(
  archive: Buffer,
  header: ArchiveHeader,
  directory: Directory,
): Generator<ReadTile> {
  const { count, tileIds, runLengths, offsets, lengths } = directory;
  for (let entry = 0; entry < count; entry++) {
    const run = runLengths[entry]!;
    const start = (run === 0 ? header.leavesOffset : header.dataOffset) + offsets[entry]!;
    const bytes = gunzipSync(archive.subarray(start, start + lengths[entry]!));
    if (run === 0) yield* tilesOfDirectory(archive, header, decodeDirectory(bytes));
    for (let i = 0; i < run; i++) {
      const [z, x, y] = tileOfId(tileIds[entry]! + i);
      yield { z, x, y, bytes };
    }
  }
}
