import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { openArchive } from '@platen/geo/pmtiles/archive';
import type { Archive } from '@platen/geo/pmtiles/read-archive';
import { PbfReader } from 'pbf';
import { JobFailure, type JobInput, type JobResult } from '../job-type.ts';
import { runTilesVector } from './run.ts';
import type { TilesVectorOptions } from './spec.ts';
import { afterFile } from '../../checks/clean-up.ts';

interface Ran {
  readonly result: JobResult;
  readonly warnings: Map<string, { message: string; example: unknown }[]>;
  readonly phases: Set<string>;
  /** Whether features did not fit into memory and went to files. */
  readonly isSpilled: boolean;
  readonly path: string;
  readonly archive: Archive;
  /** Decoded features of a tile by layer. */
  tile(z: number, x: number, y: number): Promise<Record<string, VectorTileFeature[]>>;
}

interface Given {
  readonly name?: string;
  readonly signal?: AbortSignal;
  readonly onPhase?: (phase: string) => void;
  readonly input?: Partial<JobInput>;
}

/** Runs of the tiler in a folder of the calling test file, which is removed after its tests. */
export async function setUpTiler() {
  const root = await mkdtemp(join(tmpdir(), 'platen-tiles-vector-'));
  afterFile(() => rm(root, { recursive: true }));
  let jobs = 0;

  async function run(
    content: string | Uint8Array,
    options: TilesVectorOptions = {},
    given: Given = {},
  ): Promise<Ran> {
    const folder = join(root, String(jobs++));
    const outputFolder = join(folder, 'output');
    const scratchFolder = join(folder, 'scratch');
    await mkdir(outputFolder, { recursive: true });
    await mkdir(scratchFolder);
    const name = given.name ?? 'places.geojson';
    const path = join(folder, name);
    await writeFile(path, content);
    const warnings: Ran['warnings'] = new Map();
    const phases = new Set<string>();
    let isSpilled = false;
    const result = await runTilesVector(options, {
      inputs: [{ path, name, size: (await stat(path)).size, ...given.input }],
      outputFolder,
      scratchFolder,
      signal: given.signal ?? new AbortController().signal,
      progress: (phase, done, total) => {
        assert.ok(done <= total);
        phases.add(phase);
        given.onPhase?.(phase);
      },
      log: (_level, _message, data) => (isSpilled ||= data?.['isSpilled'] === true),
      warn: (code, message, example) => {
        warnings.set(code, [...(warnings.get(code) ?? []), { message, example }]);
      },
      reject: (code, message, example) => {
        warnings.set(code, [...(warnings.get(code) ?? []), { message, example }]);
      },
    });
    assert.deepEqual(
      (await readdir(outputFolder)).toSorted(),
      ['tiles.pmtiles', 'tiles.pmtiles.thumbnail.png'],
      'nothing else is left behind',
    );
    assert.deepEqual(await readdir(scratchFolder), []);
    const archivePath = join(outputFolder, 'tiles.pmtiles');
    const bytes = await readFile(archivePath);
    const archive = await openArchive(async (offset, length) => bytes.subarray(offset, offset + length));
    return {
      result,
      warnings,
      phases,
      isSpilled,
      path: archivePath,
      archive,
      async tile(z, x, y) {
        const range = await archive.findTile(z, x, y);
        if (range === undefined) return {};
        const { layers } = new VectorTile(
          new PbfReader(gunzipSync(bytes.subarray(range.offset, range.offset + range.length))),
        );
        return Object.fromEntries(
          Object.entries(layers).map(([layer, value]) => [
            layer,
            Array.from({ length: value.length }, (_, i) => value.feature(i)),
          ]),
        );
      },
    };
  }

  async function failure(
    content: string | Uint8Array,
    options: TilesVectorOptions = {},
    given: Given = {},
  ): Promise<JobFailure> {
    try {
      await run(content, options, given);
    } catch (error) {
      assert.ok(error instanceof JobFailure, String(error));
      assert.ok(error.message.includes(given.name ?? 'places.geojson'), error.message);
      return error;
    }
    throw new assert.AssertionError({ message: 'the job succeeded' });
  }

  /** Output folder of the run that was started last. */
  const lastOutputFolder = () => join(root, String(jobs - 1), 'output');

  return { run, failure, lastOutputFolder };
}

export const feature = (geometry: unknown, properties: object = {}, id?: unknown): object => ({
  type: 'Feature',
  id,
  geometry,
  properties,
});
export const point = (lon: number, lat: number, properties?: object, id?: unknown) =>
  feature({ type: 'Point', coordinates: [lon, lat] }, properties, id);
export const collection = (features: object[], more: object = {}): string =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features });

export const cities = [
  point(13.405, 52.52, { name: 'Berlin', inhabitants: 3_677_472, capital: true, founded: null }, 1),
  point(
    9.993,
    53.551,
    { name: 'Hamburg', inhabitants: 1_906_411, capital: false, river: { name: 'Elbe' } },
    2,
  ),
  point(11.576, 48.137, { name: 'München', inhabitants: 1_487_708.5, capital: false, depth: -12 }, 'munich'),
];
