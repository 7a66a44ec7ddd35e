import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { tmpdir } from 'node:os';
import { gunzipSync } from 'node:zlib';
import { openFile } from '@platen/formats/bytes/open-file';
import { readMesh, type QuantizedMesh } from '@platen/formats/quantized-mesh/read-mesh';
import { openArchive } from '@platen/geo/pmtiles/archive';
import type { Archive } from '@platen/geo/pmtiles/read-archive';
import type { RejectedFeature } from '../rejects.ts';
import type { JobContext, JobResult } from '../job-type.ts';
import { runTilesTerrain } from './run.ts';
import type { TilesTerrainOptions } from './spec.ts';

export interface TerrainRunResult {
  readonly result: JobResult;
  readonly rejects: readonly RejectedFeature[];
  /** With those of rejects. */
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly times: number }[];
  readonly phases: ReadonlySet<string>;
  readonly outputFolder: string;
  readonly remove: () => Promise<void>;
}

export interface TerrainInput {
  readonly path: string;
  readonly crs?: string;
}

/** Writes an ASCII grid of cells of 0.001° whose south-western corner is at 11° E, 49° N. */
export async function writeCells(
  path: string,
  heightAt: (column: number, row: number) => number,
  size: number,
): Promise<TerrainInput> {
  const rows = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_cell, column) => heightAt(column, row).toFixed(3)).join(' '),
  );
  const head = `ncols ${size}\nnrows ${size}\nxllcorner 11\nyllcorner 49\ncellsize 0.001\n`;
  await writeFile(path, `${head}${rows.join('\n')}\n`);
  return { path, crs: 'EPSG:4326' };
}

/** Runs the job on files. */
export async function runTerrain(
  inputs: readonly TerrainInput[],
  options: TilesTerrainOptions = {},
  more: Partial<JobContext> = {},
): Promise<TerrainRunResult> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-terrain-'));
  const warnings: { code: string; message: string; times: number }[] = [];
  const rejects: RejectedFeature[] = [];
  const phases = new Set<string>();
  const all = inputs.map(async ({ path, ...rest }) => {
    const { size } = await stat(path);
    return { path, name: basename(path), size, ...rest };
  });
  const result = await runTilesTerrain(options, {
    inputs: await Promise.all(all),
    outputFolder: folder,
    scratchFolder: folder,
    signal: new AbortController().signal,
    progress: (phase) => phases.add(phase),
    log: () => {},
    warn: (code, message, _example, times = 1) => warnings.push({ code, message, times }),
    reject(code, message, feature, times = 1) {
      warnings.push({ code, message, times });
      if (feature) rejects.push(feature);
    },
    ...more,
  });
  return {
    result,
    warnings,
    rejects,
    phases,
    outputFolder: folder,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface OpenedTerrain {
  readonly archive: Archive;
  readonly layer: Record<string, unknown>;
  /** A tile by its zoom, column and row from the north; its bytes are unpacked. */
  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
  mesh(z: number, x: number, y: number): Promise<QuantizedMesh>;
  close(): Promise<void>;
}

/** Opens the archive that a job has made. */
export async function openTerrain(path: string): Promise<OpenedTerrain> {
  const file = await openFile(path);
  const archive = await openArchive((offset, length) => file.read(offset, length));
  const tile: OpenedTerrain['tile'] = async (z, x, y) => {
    const range = await archive.findTile(z + 1, x, y);
    return range && gunzipSync(await file.read(range.offset, range.length));
  };
  const { layer } = await archive.metadata();
  return {
    archive,
    layer: layer as Record<string, unknown>,
    tile,
    async mesh(z, x, y) {
      const bytes = await tile(z, x, y);
      if (bytes === undefined) throw new Error(`there is no tile ${z}/${x}/${y}`);
      return readMesh(bytes);
    },
    close: () => file.close(),
  };
}

/** The height of a mesh at a place in it. @param u, v from 0 in the west and south to 1 */
export function heightInMesh(mesh: QuantizedMesh, u: number, v: number): number {
  const { triangles, minHeight, maxHeight } = mesh;
  const [x, y] = [u * 32_767, v * 32_767];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!];
    const [ax, ay] = [mesh.u[a]!, mesh.v[a]!];
    const [bx, by] = [mesh.u[b]! - ax, mesh.v[b]! - ay];
    const [cx, cy] = [mesh.u[c]! - ax, mesh.v[c]! - ay];
    const area = bx * cy - by * cx;
    const toB = ((x - ax) * cy - (y - ay) * cx) / area;
    const toC = (bx * (y - ay) - by * (x - ax)) / area;
    if (toB < -1e-9 || toC < -1e-9 || toB + toC > 1 + 1e-9) continue;
    const [ha, hb, hc] = [mesh.heights[a]!, mesh.heights[b]!, mesh.heights[c]!];
    const share = (ha + (hb - ha) * toB + (hc - ha) * toC) / 32_767;
    return minHeight + share * (maxHeight - minHeight);
  }
  return NaN;
}

/** The greatest distance between normals of a tile and the direction straight up, of vertices that count. */
export function leanOfNormals(
  { u, v, extensionContents, extensions }: QuantizedMesh,
  { z, x, y }: { readonly z: number; readonly x: number; readonly y: number },
  counts: (lon: number, lat: number) => boolean = () => true,
): number {
  const normals = extensionContents[extensions.indexOf(1)]!;
  const degrees = 180 / 2 ** z;
  let lean: number | undefined;
  for (let i = 0; i < u.length; i++) {
    const lon = (x + u[i]! / 32_767) * degrees - 180;
    const lat = 90 - (y + 1 - v[i]! / 32_767) * degrees;
    if (!counts(lon, lat)) continue;
    const [first, second] = [normals[i * 2]!, normals[i * 2 + 1]!].map((byte) => (byte / 255) * 2 - 1) as [
      number,
      number,
    ];
    // oct-encoded; the surface of the northern hemisphere has a positive z
    const normal = [first, second, 1 - Math.abs(first) - Math.abs(second)];
    const length = Math.hypot(...normal);
    const [east, north] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
    const up = [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
    lean = Math.max(lean ?? 0, Math.hypot(...up.map((value, axis) => value - normal[axis]! / length)));
  }
  if (lean === undefined) throw new Error('No vertex counts.');
  return lean;
}
