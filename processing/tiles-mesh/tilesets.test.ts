import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findTilesets, type UnpackedFile } from '../models/tilesets/find-tilesets.ts';
import { readTileFile } from '../models/tilesets/read-tile-file.ts';
import { finestContents } from '../models/tilesets/tile-files.ts';
import { afterFile } from '../../checks/clean-up.ts';
import { localFrameAt } from '@platen/geo/geodesy/local-frame';
import { JobFailure, type JobContext, type JobInput } from '../job-type.ts';
import { glbOfBox, objOfBoxes } from '../models/testing-meshes.ts';
import { testContext } from '../testing-context.ts';
import { runTilesObject } from '../tiles-object/run.ts';
import { cityGml, houseXml, housesInRows } from '../tiles-object/testing-models.ts';
import { runTilesMesh } from './run.ts';
import type { TilesMeshOptions } from './spec.ts';
import { mutate, randomFrom } from './testing-damage.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-tilesets-'));
afterFile(() => rm(folder, { recursive: true, force: true }));
let runs = 0;

async function contextOf(inputs: readonly JobInput[], more: Partial<JobContext> = {}) {
  const outputFolder = await mkdtemp(join(folder, `run-${runs++}-`));
  const warnings: string[] = [];
  const context = testContext({
    inputs,
    outputFolder,
    scratchFolder: join(outputFolder, 'scratch'),
    warn: (code, message) => warnings.push(`${code}: ${message}`),
    ...more,
  });
  return { context, warnings, outputFolder };
}

async function inputOf(path: string, name: string): Promise<JobInput> {
  const { size } = await stat(path);
  return { path, name, size };
}

/** A tileset of our own of some houses. */
async function cityOf(
  first: number,
  count: number,
  version: '1.0' | '1.1',
  format: 'folder' | '3tz' = 'folder',
) {
  const path = join(folder, `city-${runs++}.gml`);
  await writeFile(
    path,
    cityGml(
      housesInRows(first + count)
        .slice(first)
        .map(houseXml)
        .join(''),
    ),
  );
  const { context, outputFolder } = await contextOf([await inputOf(path, 'city.gml')]);
  await runTilesObject(
    { tiling: { features: 12 }, heights: { mode: 'asGiven' }, output: { version, format } },
    context,
  );
  const name = format === 'folder' ? 'tileset' : 'tileset.3tz';
  return inputOf(join(outputFolder, name), name);
}

async function convert(
  inputs: readonly JobInput[],
  options: TilesMeshOptions = {},
  more: Partial<JobContext> = {},
) {
  const { context, warnings, outputFolder } = await contextOf(inputs, more);
  const result = await runTilesMesh({ output: { format: 'folder' }, ...options }, context);
  return { result, warnings, tileset: await inputOf(join(outputFolder, 'tileset'), 'tileset') };
}

interface ReadFeature {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Corners of each triangle, in EPSG:4978. */
  readonly triangles: number[][];
}

async function filesIn(path: string): Promise<Map<string, UnpackedFile>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = new Map<string, UnpackedFile>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const name = file.slice(path.length + 1);
    files.set(name, { path: file, name, size: (await stat(file)).size });
  }
  return files;
}

/** The features of the leaves. */
async function featuresOf({ path }: JobInput): Promise<Map<string, ReadFeature[]>> {
  const files = await filesIn(path);
  const warn = () => assert.fail('a warning');
  const [found] = await findTilesets(files, {
    strict: true,
    placement: {},
    context: { signal: new AbortController().signal, warn },
  });
  const features = new Map<string, ReadFeature[]>();
  for (const { path: name, matrix, upAxis } of finestContents(found!.tree.root)) {
    const { objects, rows } = await readTileFile(
      { ...files.get(name)!, tile: { matrix, upAxis } },
      { sides: [], onNotice: warn },
    );
    const own = rows!.map((row): ReadFeature => ({ attributes: Object.fromEntries(row), triangles: [] }));
    for (const { positions, indices, features: numbers } of objects.flatMap(({ parts }) => parts))
      for (let i = 0; i < indices.length; i += 3) {
        const corners = Array.from(
          { length: 9 },
          (_, k) => positions[indices[i + Math.floor(k / 3)]! * 3 + (k % 3)]!,
        );
        own[numbers![indices[i]!]!]!.triangles.push(corners);
      }
    for (const one of own) {
      const id = String(one.attributes['id']);
      features.set(id, [...(features.get(id) ?? []), one]);
    }
  }
  return features;
}

const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.max(
    ...[0, 3, 6].map((at) => Math.hypot(a[at]! - b[at]!, a[at + 1]! - b[at + 1]!, a[at + 2]! - b[at + 2]!)),
  );

/** The same triangles within a centimetre; each may begin at another corner. */
function assertTriangles(actual: readonly number[][], expected: readonly number[][]): void {
  assert.equal(actual.length, expected.length);
  const open = [...actual];
  for (const triangle of expected) {
    const turns = [0, 3, 6].map((at) => triangle.slice(at).concat(triangle.slice(0, at)));
    const found = open.findIndex((one) => turns.some((turn) => distance(one, turn) < 0.01));
    assert.notEqual(found, -1, `no triangle at ${triangle.join(' ')}`);
    open.splice(found, 1);
  }
}

function assertSame(actual: Map<string, ReadFeature[]>, expected: Map<string, ReadFeature[]>): void {
  assert.deepEqual([...actual.keys()].toSorted(), [...expected.keys()].toSorted());
  for (const [id, all] of expected) {
    const own = actual.get(id)!;
    assert.equal(own.length, 1, `${id} is in one leaf`);
    assert.deepEqual(own[0]!.attributes, all[0]!.attributes);
    assertTriangles(own[0]!.triangles, all[0]!.triangles);
  }
}

const old = await cityOf(0, 40, '1.0');
const recent = await cityOf(0, 40, '1.1', '3tz');
const recentFolder = await cityOf(0, 40, '1.1');
const expected = await featuresOf(recentFolder);

test('tilesets of both versions become each of both, with the same objects, attributes and triangles', async () => {
  assert.equal(expected.size, 40);
  const [house] = expected.get('house_3')!;
  assert.deepEqual(
    { ...house!.attributes },
    { id: 'house_3', class: 'Building', Straße: 'Gasse 3', measuredHeight: 6.75, storeysAboveGround: 1 },
  );
  for (const input of [old, recent])
    for (const version of ['1.0', '1.1'] as const) {
      const { tileset, warnings, result } = await convert([input], { output: { format: 'folder', version } });
      assert.deepEqual(warnings, []);
      assertSame(await featuresOf(tileset), expected);
      const written = JSON.parse(await readFile(join(tileset.path, 'tileset.json'), 'utf8'));
      assert.equal(written.asset.version, version);
      assert.equal(result.datasource!.properties!['featureCount'], 40);
    }
});

test('several tilesets become one, below a root that encloses them', async () => {
  const other = await cityOf(40, 20, '1.0');
  const { tileset, warnings } = await convert([old, other]);
  assert.deepEqual(warnings, []);
  const all = await featuresOf(tileset);
  assert.equal(all.size, 60);
  for (const [id, own] of expected) assertTriangles(all.get(id)![0]!.triangles, own[0]!.triangles);
  const { root } = JSON.parse(await readFile(join(tileset.path, 'tileset.json'), 'utf8')) as {
    readonly root: {
      readonly geometricError: number;
      readonly children: readonly { readonly geometricError: number }[];
    };
  };
  assert.equal(root.children.length, 2);
  for (const child of root.children) assert.ok(child.geometricError < root.geometricError);
});

test('any number of threads gives the same bytes', async () => {
  const bytesOf = async (workers: number): Promise<Uint8Array> => {
    const { context, outputFolder } = await contextOf([recent, old]);
    await runTilesMesh({ processing: { workers } }, context);
    return readFile(join(outputFolder, 'tileset.3tz'));
  };
  assert.deepEqual(await bytesOf(1), await bytesOf(3));
});

test('a tileset is rebuilt by objects, each in one leaf with its id, class and attributes', async () => {
  for (const input of [old, recent]) {
    const { context, warnings, outputFolder } = await contextOf([input]);
    await runTilesObject({ tiling: { features: 7 }, output: { format: 'folder' } }, context);
    assert.deepEqual(warnings, []);
    assertSame(await featuresOf(await inputOf(join(outputFolder, 'tileset'), 'tileset')), expected);
  }
});

test('the surface of a tileset is rebuilt from its finest tiles', async () => {
  const { result } = await convert([recent], { tilesets: { mode: 'rebuild' } });
  const triangles = [...expected.values()].reduce((sum, [one]) => sum + one!.triangles.length, 0);
  assert.equal(result.datasource!.properties!['triangleCount'], triangles);
});

test('an offset lifts a kept tileset', async () => {
  const { result } = await convert([recent], { heights: { offset: 100 } });
  const { result: before } = await convert([recent]);
  const rangeOf = ({ datasource }: typeof result) => datasource!.properties!['heightRange'] as number[];
  for (const [i, height] of rangeOf(result).entries())
    assert.ok(Math.abs(height - rangeOf(before)[i]! - 100) < 0.01);
});

const failureOf = async (input: JobInput, options: TilesMeshOptions = {}) =>
  convert([input], options).then(
    () => assert.fail('it succeeded'),
    (error: unknown) => (error instanceof JobFailure ? error : Promise.reject(error)),
  );

test('models beside a tileset are read as well, or the job says that they cannot be kept', async () => {
  const files: Record<string, string | Uint8Array> = {
    'new.gml': cityGml(housesInRows(42).slice(40).map(houseXml).join('')),
    'wall.obj': objOfBoxes({ wall: [[0, 0, 0], [2, 2, 2]] }), // prettier-ignore
  };
  for (const [name, { path }] of await filesIn(recentFolder.path))
    files[`old/${name}`] = await readFile(path);
  const input = await put(files);
  const { context, outputFolder } = await contextOf([input]);
  await runTilesObject(
    { modelOptions: { classes: ['Building'] }, heights: { mode: 'asGiven' }, output: { format: 'folder' } },
    context,
  );
  const all = await featuresOf(await inputOf(join(outputFolder, 'tileset'), 'tileset'));
  assert.equal(all.size, 42);
  const failure = await failureOf(input);
  assert.equal(failure.code, 'invalidOption');
  assert.match(failure.message, /wall\.obj has no levels of detail/);
});

/** A folder of files. */
async function put(files: Readonly<Record<string, string | Uint8Array>>): Promise<JobInput> {
  const path = join(folder, `files-${runs++}`);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return inputOf(path, 'upload');
}

const place = [11.5, 48.1, 520] as const;
const frame = localFrameAt(...place);
const placeTransform = [...frame.east, 0, ...frame.north, 0, ...frame.up, 0, ...frame.origin, 1];
const region = [0.2, 0.8, 0.2001, 0.8001, 0, 100];
const tilesetOf = (root: object, more: object = {}): string =>
  JSON.stringify({
    asset: { version: '1.0' },
    geometricError: 100,
    root: { boundingVolume: { region }, geometricError: 10, ...root },
    ...more,
  });

test('external tilesets that contain each other, or themselves, are refused', async () => {
  const a = tilesetOf({ content: { uri: 'b.json' } });
  const b = tilesetOf({
    children: [{ boundingVolume: { region }, geometricError: 1, content: { uri: './a.json' } }],
  });
  const failure = await failureOf(await put({ 'a.json': a, 'b.json': b }));
  assert.equal(failure.code, 'unsupported');
  assert.match(failure.message, /contains itself as an external tileset/);
  const own = await failureOf(await put({ 'tileset.json': tilesetOf({ content: { uri: 'tileset.json' } }) }));
  assert.equal(own.code, 'unsupported');
});

test('tiles on the web, elsewhere and missing are named, and not read', async () => {
  const children = ['https://example.org/a.glb', '../../etc/passwd', 'missing.glb', 'box.glb'].map((uri) => ({
    boundingVolume: { region },
    geometricError: 0,
    content: { uri },
  }));
  const input = await put({
    'tileset.json': tilesetOf({ transform: placeTransform, children }),
    'box.glb': glbOfBox(),
  });
  const { warnings } = await convert([input]);
  assert.deepEqual(
    warnings.map((warning) => warning.split(':')[0]),
    ['missingSideFiles', 'missingSideFiles', 'missingSideFiles'],
  );
});

test(
  'a damaged tileset gives a tileset, or a failure that says what is wrong',
  { timeout: 300_000 },
  async () => {
    const files = [...(await filesIn(old.path))];
    const contents = await Promise.all(
      files.map(async ([name, file]) => [name, await readFile(file.path)] as const),
    );
    const random = randomFrom(19);
    for (let run = 0; run < 24; run++) {
      const damaged = Object.fromEntries(
        contents.map(([name, bytes]) => [name, random() < 0.5 ? mutate(bytes, random) : bytes]),
      );
      const input = await put(damaged);
      const options = { processing: { workers: 1 }, tilesets: { mode: run % 2 === 0 ? 'keep' : 'rebuild' } };
      const ended = await convert([input], options).then(
        ({ result }) => result,
        (error: unknown) => error,
      );
      if (ended instanceof Error) {
        if (!(ended instanceof JobFailure)) throw ended;
        assert.ok(ended.message.length > 20);
      } else assert.equal((ended as { datasource: { type: string } }).datasource.type, 'tileset');
      await rm(input.path, { recursive: true });
    }
  },
);
