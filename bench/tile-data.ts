import { execFile } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../shared/data');

export interface DataFolder {
  readonly path: string;
  end(): Promise<void>;
}

/** A temporary folder, or the one of PLATEN_BENCH_DATA, which keeps its files for the next time. */
export async function openDataFolder(): Promise<DataFolder> {
  const kept = process.env['PLATEN_BENCH_DATA'];
  if (kept === undefined) {
    const path = await mkdtemp(join(tmpdir(), 'platen-bench-'));
    return { path, end: () => rm(path, { recursive: true, force: true }) };
  }
  await mkdir(kept, { recursive: true });
  return { path: kept, end: async () => {} };
}

/** So many real OpenStreetMap features, one a line; undefined without the sample data. */
export async function osmFeatures(folder: string, count: number): Promise<string | undefined> {
  const program = join(samples, 'vector/replicate.mjs');
  if (!existsSync(program)) return undefined;
  return made(join(folder, `osm-${count}.geojsonl`), (path) =>
    run(process.execPath, [program, String(count), path]),
  );
}

const waterPackage = '@geo-maps/earth-waterbodies-1m@0.6.0';

/** The water polygons of npm's @geo-maps/earth-waterbodies-1m, one a line; undefined where npm cannot get it. */
export async function waterPolygons(folder: string): Promise<string | undefined> {
  try {
    return await made(join(folder, 'water.geojsonl'), async (path) => {
      const unpacked = await mkdtemp(join(folder, 'water-'));
      try {
        const { stdout } = await run('npm', ['pack', '--silent', waterPackage], { cwd: unpacked });
        await run('tar', ['-xzf', stdout.trim().split('\n').at(-1)!], { cwd: unpacked });
        await pipeline(
          Readable.from(polygonLines(await readFile(join(unpacked, 'package/map.geo.json'), 'utf8'))),
          createWriteStream(path),
        );
      } finally {
        await rm(unpacked, { recursive: true, force: true });
      }
    });
  } catch {
    return undefined;
  }
}

function* polygonLines(text: string): Generator<string> {
  const { geometries } = JSON.parse(text) as { geometries: { coordinates: unknown[] }[] };
  let id = 0;
  for (const { coordinates: polygons } of geometries) {
    for (const coordinates of polygons) {
      const geometry = { type: 'Polygon', coordinates };
      yield `${JSON.stringify({ type: 'Feature', id: id++, properties: {}, geometry })}\n`;
    }
  }
}

/** Written under another name first, so that half a file is never taken for the whole. */
async function made(path: string, write: (path: string) => Promise<unknown>): Promise<string> {
  if (existsSync(path)) return path;
  await write(`${path}.unfinished`);
  await rename(`${path}.unfinished`, path);
  return path;
}
