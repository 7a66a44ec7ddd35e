import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { summarise, type TilesetSummary } from './testing-summary.ts';
import { examples, samples } from './testing-tiling.ts';

export interface Extract {
  readonly name: string;
  readonly path: string;
  readonly maxZoom: number;
  /** Below the highest zoom both simplify, each in its own way: by what share the areas may differ. */
  readonly areaShare: number;
}

/** The compared data: extracts need the sample data, the countries are always available. */
export const extracts: readonly Extract[] = [
  { name: 'countries', path: join(examples, 'countries.geojson'), maxZoom: 6, areaShare: 0.005 },
  ...['liechtenstein', 'north-bayreuth', 'monaco', 'andorra'].map((name) => ({
    name,
    path: join(samples, `vector/${name}.geojsonl.gz`),
    maxZoom: 14,
    areaShare: 0.06,
  })),
];

/** No limits, nothing thinned out, and at the highest zoom nothing simplified or replaced: as ours does it. */
const options = [
  '--quiet',
  '--read-parallel',
  '--layer=all',
  '--minimum-zoom=0',
  '--no-feature-limit',
  '--no-tile-size-limit',
  '--drop-rate=1',
  '--simplify-only-low-zooms',
  '--no-tiny-polygon-reduction-at-maximum-zoom',
];

/** The tippecanoe arguments for an extract, without the files. */
export const commandLine = (maxZoom: number | string) => [...options, `--maximum-zoom=${maxZoom}`];

/** Writes one feature per line with its number as id, so that features of both tilers can be matched. */
export async function writeNumbered({ path }: { readonly path: string }, target: string): Promise<void> {
  const bytes = await readFile(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trim();
  const features = path.endsWith('.geojson')
    ? (JSON.parse(text) as { features: object[] }).features
    : text.split('\n').map((line) => JSON.parse(line) as object);
  const lines = features.map((feature, id) => `${JSON.stringify({ ...feature, id })}\n`);
  await pipeline(Readable.from(lines), createWriteStream(target));
}

/** @param program tippecanoe itself */
export async function summaryOfTippecanoe(program: string, extract: Extract): Promise<TilesetSummary> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-tippecanoe-'));
  try {
    const input = join(folder, 'input.geojsonl');
    const output = join(folder, 'tiles.pmtiles');
    await writeNumbered(extract, input);
    const files = [`--temporary-directory=${folder}`, `--output=${output}`, input];
    await promisify(execFile)(program, [...commandLine(extract.maxZoom), ...files]);
    return summarise(await readFile(output));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Golden {
  readonly madeBy: string;
  readonly of: string;
  /** Summaries by the name of the extract. */
  readonly extracts: Record<string, TilesetSummary>;
}

export const goldenFile = new URL('tippecanoe-2.82.json', import.meta.url);
