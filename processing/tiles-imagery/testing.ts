import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { writeTiff, type WrittenTiff } from '@platen/formats/geotiff/testing';
import { openArchive } from '@platen/geo/pmtiles/archive';
import type { JobContext, JobInput, JobResult } from '../job-type.ts';
import { requireImageCodec } from '../kit/images/image-codec.ts';
import { imageFormatOf } from '../kit/images/image-format.ts';
import { testContext } from '../testing-context.ts';
import { runTilesImagery } from './run.ts';
import type { TilesImageryOptions } from './spec.ts';

export interface ImageryRun {
  readonly result: JobResult;
  readonly outputFolder: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** Folders of one test file. */
export async function openImageryTests() {
  const folder = await mkdtemp(join(tmpdir(), 'platen-imagery-'));
  let count = 0;
  return {
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
    async put(name: string, content: WrittenTiff | Uint8Array): Promise<JobInput> {
      const path = join(folder, name);
      await writeFile(path, content instanceof Uint8Array ? content : writeTiff(content));
      return { path, name: basename(path), size: (await stat(path)).size };
    },
    async run(
      inputs: readonly JobInput[],
      options: TilesImageryOptions = {},
      more: Partial<JobContext> = {},
    ): Promise<ImageryRun> {
      const outputFolder = await mkdtemp(join(folder, `run-${count++}-`));
      const warnings: { code: string; message: string }[] = [];
      const context = testContext({
        inputs,
        outputFolder,
        scratchFolder: join(outputFolder, 'scratch'),
        warn: (code, message) => warnings.push({ code, message }),
        ...more,
      });
      return { result: await runTilesImagery(options, context), outputFolder, warnings };
    },
  };
}

/** The tiles of a finished archive. */
export async function openTiles(outputFolder: string) {
  const bytes = await readFile(join(outputFolder, 'tiles.pmtiles'));
  const archive = await openArchive(async (offset, length) => bytes.subarray(offset, offset + length));
  const codec = await requireImageCodec();
  const tileAt = async (z: number, x: number, y: number): Promise<Uint8Array | undefined> => {
    const range = await archive.findTile(z, x, y);
    return range && bytes.subarray(range.offset, range.offset + range.length);
  };
  return {
    bytes,
    archive,
    formatOf: async (z: number, x: number, y: number) => {
      const tile = await tileAt(z, x, y);
      return tile && imageFormatOf(tile);
    },
    /** Red, green, blue, alpha; undefined where there is no tile. */
    async colourAt(z: number, [lon, lat]: readonly [number, number]): Promise<number[] | undefined> {
      const across = ((lon + 180) / 360) * 2 ** z;
      const down = (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** z;
      const tile = await tileAt(z, Math.floor(across), Math.floor(down));
      if (!tile) return undefined;
      const { samples } = await codec.decode(tile, { bands: 4 });
      const [column, row] = [Math.floor((across % 1) * 256), Math.floor((down % 1) * 256)];
      return [...samples.subarray((row * 256 + column) * 4, (row * 256 + column) * 4 + 4)];
    },
  };
}
