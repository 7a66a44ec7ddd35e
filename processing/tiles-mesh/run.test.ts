import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { localFrameAt, toLocal } from '@platen/geo/geodesy/local-frame';
import sharp from 'sharp';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobContext, JobInput } from '../job-type.ts';
import { plyOfBox } from '../models/testing-meshes.ts';
import { testContext } from '../testing-context.ts';
import { decodeGlb, eachTile, type DecodedTile, type TileJson } from '../tiles-object/testing-tileset.ts';
import { runTilesMesh } from './run.ts';
import type { TilesMeshOptions } from './spec.ts';
import { gradient, heightAt, library, objOfSurface } from './testing-surface.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-mesh-'));
afterFile(() => rm(folder, { recursive: true, force: true }));

const placement = { longitude: 11.5, latitude: 48.1, height: 520 };
const frame = localFrameAt(placement.longitude, placement.latitude, placement.height);
const surface = { side: 200, cells: 80 };
const quarters = [
  [0, 0, 0.5, 0.5],
  [0.5, 0, 1, 0.5],
  [0, 0.5, 0.5, 1],
  [0.5, 0.5, 1, 1],
] as const;
const zip = zipOfFiles({
  ...Object.fromEntries(quarters.map((box, i) => [`t/tile-${i}.obj`, objOfSurface(surface, box)])),
  't/photo.mtl': library,
  't/photo.png': await gradient(512),
});
let runs = 0;

async function put(name: string, content: string | Uint8Array): Promise<JobInput> {
  const path = join(folder, `${runs++}-${name}`);
  await writeFile(path, content);
  return { path, name, size: (await stat(path)).size };
}

async function run(
  inputs: readonly JobInput[],
  options: TilesMeshOptions = {},
  more: Partial<JobContext> = {},
) {
  const outputFolder = await mkdtemp(join(folder, 'run-'));
  const warnings: string[] = [];
  const context = testContext({
    inputs,
    outputFolder,
    scratchFolder: join(outputFolder, 'scratch'),
    warn: (code) => warnings.push(code),
    ...more,
  });
  const result = await runTilesMesh(
    { modelOptions: { placement }, output: { format: 'folder' }, ...options },
    context,
  );
  return { result, warnings, tileset: join(outputFolder, 'tileset') };
}

interface LoadedTile {
  readonly tile: TileJson;
  readonly parent: TileJson | undefined;
  readonly decoded: DecodedTile;
  /** East, north and up of each vertex. */
  readonly vertices: readonly (readonly [number, number, number])[];
  readonly indices: readonly number[];
}

async function load(tileset: string): Promise<LoadedTile[]> {
  const tiles: LoadedTile[] = [];
  await eachTile(tileset, async (tile, parent) => {
    const decoded = await decodeGlb(await readFile(join(tileset, tile.content!.uri)));
    const [primitive] = decoded.primitives;
    const vertices = primitive!.places.map((place) => toLocal(frame, place));
    tiles.push({ tile, parent, decoded, vertices, indices: [...primitive!.indices] });
  });
  return tiles;
}

const isLeaf = ({ tile }: LoadedTile): boolean => (tile.children ?? []).length === 0;

function areaOf({ vertices, indices }: LoadedTile): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [vertices[indices[i]!]!, vertices[indices[i + 1]!]!, vertices[indices[i + 2]!]!];
    sum += ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
  }
  return sum;
}

const small = { tiling: { triangles: 1000 } } as const;
const made = await run([await put('town.zip', zip)], small);
const tiles = await load(made.tileset);

test('each level covers the whole surface, and the finest has it as it is', () => {
  assert.deepEqual(made.warnings, []);
  const levels = Map.groupBy(tiles, ({ tile }) => tile.content!.uri.split('/').length);
  assert.ok(levels.size >= 3, `${levels.size} levels`);
  const finest = tiles.filter(isLeaf);
  const area = (some: readonly LoadedTile[]): number => some.reduce((sum, tile) => sum + areaOf(tile), 0);
  assert.ok(Math.abs(area(finest) - 200 * 200) < 1, `${area(finest)} m²`);
  for (const leaf of finest)
    for (const [x, y, z] of leaf.vertices)
      assert.ok(Math.abs(z - heightAt(surface, x, y)) < 0.2, `${x} ${y} ${z}`);
  const root = tiles.find(({ parent }) => parent === undefined);
  assert.ok(Math.abs(areaOf(root!) - 200 * 200) < 40, `${areaOf(root!)} m² at the root`);
});

test('errors grow towards the root, and no tile is farther from the surface than its error', () => {
  for (const one of tiles) {
    const { tile, parent, vertices } = one;
    assert.equal(isLeaf(one), tile.geometricError === 0);
    if (parent !== undefined) assert.ok(parent.geometricError > tile.geometricError);
    for (const [x, y, z] of vertices)
      assert.ok(
        Math.abs(z - heightAt(surface, x, y)) < tile.geometricError + 0.2,
        `${z - heightAt(surface, x, y)} m`,
      );
  }
});

test('coarse tiles have the vertices of fine ones where they meet others, so nothing opens between any of them', () => {
  const isNear = (a: readonly number[], b: readonly number[]): boolean =>
    Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!) < 0.01;
  const finest = tiles.filter(isLeaf).flatMap(({ vertices }) => vertices);
  let compared = 0;
  for (const one of tiles) {
    const extent = extentOf(one.vertices);
    for (const [side, at] of extent.entries()) {
      // what is at the edge of the surface meets nothing
      if (isLeaf(one) || at < 0.1 || at > 199.9) continue;
      const [axis, other] = side % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
      const isThere = (vertex: readonly number[]): boolean =>
        Math.abs(vertex[axis]! - at) < 0.005 &&
        vertex[other]! > extent[other] - 0.005 &&
        vertex[other]! < extent[other + 2]! + 0.005;
      const own = one.vertices.filter(isThere);
      const expected = finest.filter(isThere);
      compared += own.length;
      for (const vertex of expected)
        assert.ok(
          own.some((near) => isNear(vertex, near)),
          `nothing at ${vertex.join(' ')}`,
        );
      for (const vertex of own)
        assert.ok(
          expected.some((near) => isNear(vertex, near)),
          `a vertex at ${vertex.join(' ')}`,
        );
    }
  }
  assert.ok(compared > 100);
});

function extentOf(vertices: LoadedTile['vertices']): [number, number, number, number] {
  const along = (axis: 0 | 1): number[] => vertices.map((vertex) => vertex[axis]);
  return [Math.min(...along(0)), Math.min(...along(1)), Math.max(...along(0)), Math.max(...along(1))];
}

test('the picture is where it belongs, on each level below the root', async () => {
  for (const { parent, decoded, vertices } of tiles) {
    const [{ uvs }] = decoded.primitives as [DecodedTile['primitives'][number]];
    const { data, info } = await sharp(decoded.image(0)).raw().toBuffer({ resolveWithObject: true });
    const faults = vertices.map(([x, y], i) => {
      const [column, row] = [0, 1].map((axis) => {
        const size = axis === 0 ? info.width : info.height;
        return Math.min(size - 1, Math.floor(uvs![i * 2 + axis]! * size));
      }) as [number, number];
      const at = (row * info.width + column) * info.channels;
      return Math.max(Math.abs(data[at]! - (x / 200) * 255), Math.abs(data[at + 1]! - (y / 200) * 255));
    });
    // at the root, pixels are wider than the borders around images
    if (parent === undefined) continue;
    assert.ok(Math.max(...faults) < 25, `${Math.max(...faults)}`);
    const mean = faults.reduce((sum, fault) => sum + fault, 0) / faults.length;
    assert.ok(mean < 8, `${mean} of 255 in the mean`);
  }
});

test('one thread and three make the same bytes', async () => {
  const one = await run([await put('town.zip', zip)], { ...small, processing: { workers: 1 } });
  const three = await run([await put('town.zip', zip)], { ...small, processing: { workers: 3 } });
  const files = (await readdir(one.tileset, { recursive: true })).toSorted();
  assert.deepEqual((await readdir(three.tileset, { recursive: true })).toSorted(), files);
  for (const file of files) {
    if ((await stat(join(one.tileset, file))).isDirectory()) continue;
    assert.ok(
      (await readFile(join(one.tileset, file))).equals(await readFile(join(three.tileset, file))),
      file,
    );
  }
});

test('meshes with colours keep them, and are lit', async () => {
  const ply = plyOfBox([0, 0, 0], [20, 10, 5]);
  const { tileset, warnings } = await run([await put('box.ply', ply)]);
  assert.deepEqual(warnings, []);
  const [{ decoded, vertices }] = (await load(tileset)) as [LoadedTile];
  assert.equal(decoded.json.extensionsUsed!.includes('KHR_materials_unlit'), false);
  const { colours } = decoded.primitives[0]!;
  for (const [i, [, , up]] of vertices.entries())
    assert.deepEqual([...colours!.subarray(i * 4, i * 4 + 3)], up > 2 ? [0, 255, 0] : [255, 0, 0]);
});

test('flat: the lowest point of all files comes onto the ellipsoid', async () => {
  const inputs = [
    await put('low.ply', plyOfBox([0, 0, 3], [20, 10, 5])),
    await put('high.ply', plyOfBox([30, 0, 30], [20, 10, 5])),
  ];
  const { tileset } = await run(inputs, { heights: { mode: 'flat' } });
  const levels = (await load(tileset)).flatMap(({ vertices }) =>
    vertices.map(([, , up]) => up + placement.height),
  );
  assert.ok(Math.abs(Math.min(...levels)) < 0.01);
  assert.ok(Math.abs(Math.max(...levels) - 32) < 0.01);
});

test('without a placement the job is refused, and what is far away is left out', async () => {
  const input = await put('box.ply', plyOfBox([0, 0, 0], [20, 10, 5]));
  await assert.rejects(run([input], { modelOptions: { placement: {} } }), { code: 'unknownPlace' });
  await assert.rejects(run([await put('text.txt', 'hello')]), { code: 'notRecognised' });
  const far = await put('far.ply', plyOfBox([1e7, 0, 0], [20, 10, 5]));
  const { warnings } = await run([input, far]);
  assert.deepEqual([...new Set(warnings)], ['missingSurfaces']);
  const nothing = await put('nan.ply', plyOfBox([1e300, 0, 0], [20, 10, 5]));
  await assert.rejects(run([nothing]), { code: 'nothingUsable' });
});
