import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { PbfReader } from 'pbf';
import type { JobInput, JobResult } from '../job-type.ts';
import { runTilesVector } from './run.ts';
import type { TilesVectorOptions } from './spec.ts';

export interface Made {
  readonly result: JobResult;
  readonly warnings: readonly string[];
  /** All files of the output folder, by path. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Runs the tiler on files, in a folder that is gone afterwards. */
export async function makeTiles(
  given: Readonly<Record<string, Uint8Array | string>>,
  options: TilesVectorOptions,
): Promise<Made> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-made-tiles-'));
  const [outputFolder, scratchFolder] = [join(folder, 'output'), join(folder, 'scratch')];
  const warnings: string[] = [];
  try {
    for (const path of [outputFolder, scratchFolder]) await mkdir(path);
    const inputs: JobInput[] = [];
    for (const [name, content] of Object.entries(given)) {
      const path = join(folder, name);
      await writeFile(path, content);
      inputs.push({ path, name, size: (await stat(path)).size });
    }
    const result = await runTilesVector(options, {
      inputs,
      outputFolder,
      scratchFolder,
      signal: new AbortController().signal,
      progress: (_phase, done, total) => assert.ok(done <= total),
      log: () => {},
      warn: (code) => void warnings.push(code),
      reject: (code) => void warnings.push(code),
    });
    return { result, warnings, files: await readFolder(outputFolder) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readFolder(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(relative(folder, path), await readFile(path));
  }
  return files;
}

/** Decoded features, by layer. */
export type Layers = Readonly<Record<string, readonly VectorTileFeature[]>>;

export interface Tiles {
  /** Packed, by `z/x/y`. */
  readonly packed: ReadonlyMap<string, Buffer>;
  readonly vectorLayers: readonly { id: string; minzoom: number; maxzoom: number }[];
  read(place: string): Layers;
}

/** Every tile of the archive that was made. */
export async function openTiles({ files }: Made): Promise<Tiles> {
  const bytes = files.get('tiles.pmtiles')!;
  const archive = await openArchive(async (offset, length) => bytes.subarray(offset, offset + length));
  const { minZoom, maxZoom } = archive.header;
  const packed = new Map<string, Buffer>();
  for (let z = minZoom; z <= maxZoom; z++) {
    for (let at = 0; at < 4 ** z; at++) {
      const [x, y] = [at % 2 ** z, Math.floor(at / 2 ** z)];
      const range = await archive.findTile(z, x, y);
      if (range !== undefined)
        packed.set(`${z}/${x}/${y}`, bytes.subarray(range.offset, range.offset + range.length));
    }
  }
  const metadata = await archive.metadata();
  const vectorLayers = metadata['vector_layers'] as Tiles['vectorLayers'];
  return { packed, vectorLayers, read: (place) => decodeTile(packed.get(place)) };
}

function decodeTile(packed: Buffer | undefined): Layers {
  if (packed === undefined) return {};
  const { layers } = new VectorTile(new PbfReader(gunzipSync(packed)));
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, i) => layer.feature(i)),
    ]),
  );
}
