import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobInput } from '../job-type.ts';
import { testContext } from '../testing-context.ts';
import { runTilesMesh } from '../tiles-mesh/run.ts';
import { gradient, library, objOfSurface } from '../tiles-mesh/testing-surface.ts';
import { roofShapes } from '../tiles-object/footprint/roofs.ts';
import { runTilesObject } from '../tiles-object/run.ts';
import { cityGml, houseXml, housesInRows } from '../tiles-object/testing-models.ts';
import { howToGetTilesValidator, tilesetProblems, tilesValidator } from './testing-tiles-validator.ts';
import { problemsOf } from './testing-validator.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-valid-'));
afterFile(() => rm(folder, { recursive: true, force: true }));

const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../../shared/data');
const surface = { side: 60, cells: 30 };
const photo = await gradient(128);
const texture =
  '<app:appearance><app:Appearance><app:theme>rgb</app:theme><app:surfaceDataMember><app:ParameterizedTexture><app:imageURI>photo.png</app:imageURI><app:target uri="#a_1"><app:TexCoordList><app:textureCoordinates ring="#a_1_ring">0 0 1 0 1 1 0 1 0 0</app:textureCoordinates></app:TexCoordList></app:target></app:ParameterizedTexture></app:surfaceDataMember></app:Appearance></app:appearance>';
const textured = houseXml({ id: 'a', at: [500_000, 5_500_000, 100], more: texture });
const town = housesInRows(120).map(houseXml).join('');
const mesh = { 'a.obj': objOfSurface(surface, [0, 0, 1, 1]), 'photo.mtl': library, 'photo.png': photo };
const placement = { longitude: 11.5, latitude: 48.1, height: 520 };

function ringAt(lon: number): number[][] {
  const [east, north] = [lon + 0.0004, 50.0003];
  return [
    [lon, 50],
    [east, 50],
    [east, north],
    [lon, north],
    [lon, 50],
  ];
}

type Run = (input: JobInput, output: object, outputFolder: string) => Promise<unknown>;
const object: Run = (input, output, outputFolder) =>
  runTilesObject({ tiling: { features: 30 }, output }, contextOf(input, outputFolder));
const outlined: Run = (input, output, outputFolder) =>
  runTilesObject({ appearance: { outlines: true, unlit: true }, output }, contextOf(input, outputFolder));
const surfaceTiles: Run = (input, output, outputFolder) =>
  runTilesMesh(
    { modelOptions: { placement }, tiling: { triangles: 1000 }, output: { ...output, version: '1.1' } },
    contextOf(input, outputFolder),
  );
/** Converts tilesets of either version that the other job has made. */
const kept =
  (version: '1.0' | '1.1'): Run =>
  async (input, output, outputFolder) => {
    const before = await mkdtemp(join(folder, 'kept-'));
    await object(input, { version }, before);
    const archive = await inputOf(join(before, 'tileset.3tz'), 'tileset.3tz');
    const context = contextOf(archive, outputFolder);
    return runTilesMesh({ output }, { ...context, inputs: [archive, { ...archive, name: 'again.3tz' }] });
  };
const contextOf = (input: JobInput, outputFolder: string) =>
  testContext({ inputs: [input], outputFolder, scratchFolder: join(outputFolder, 'scratch') });

/** Attributes of each type, some missing, in any script. */
const footprints = Array.from({ length: 60 }, (_, i) => ({
  type: 'Feature',
  properties: {
    height: 5 + i / 4,
    levels: i % 7,
    'is old': i % 2 === 0,
    näme: i % 3 === 0 ? null : `Straße ${i}`,
    建物: i * 1e12,
    'roof:shape': roofShapes[i % roofShapes.length],
  },
  geometry: { type: 'Polygon', coordinates: [ringAt(8 + i / 1000)] },
}));

const cases: readonly (readonly [name: string, file: string, content: Uint8Array | string, run: Run])[] = [
  ['a town', 'town.gml', cityGml(town), object],
  ['a town with outlines', 'outlined.gml', cityGml(town), outlined],
  [
    'footprints',
    'footprints.json',
    JSON.stringify({ type: 'FeatureCollection', features: footprints }),
    object,
  ],
  [
    'a textured house',
    'house.zip',
    zipOfFiles({ 'house.gml': cityGml(textured), 'photo.png': photo }),
    object,
  ],
  ['a textured surface', 'surface.zip', zipOfFiles(mesh), surfaceTiles],
  ['tilesets 1.0 that are kept', 'kept-old.gml', cityGml(town), kept('1.0')],
  ['tilesets 1.1 that are kept', 'kept.gml', cityGml(town), kept('1.1')],
];
const shared = ['tamana-49303425.gml', 'delft.city.json']
  .map((name) => join(samples, 'city', name))
  .filter((path) => existsSync(path));

/** The GLBs of a folder, those within b3dm as well. */
async function glbsIn(path: string): Promise<Map<string, Uint8Array>> {
  const glbs = new Map<string, Uint8Array>();
  for (const name of await readdir(path, { recursive: true })) {
    if (!/\.(?:glb|b3dm)$/.test(name)) continue;
    const bytes = await readFile(join(path, name));
    const tables = [12, 16, 20, 24].reduce((sum, at) => sum + bytes.readUInt32LE(at), 28);
    glbs.set(name, name.endsWith('.glb') ? bytes : bytes.subarray(tables));
  }
  return glbs;
}

async function assertValid(input: JobInput, run: Run, version: '1.0' | '1.1'): Promise<void> {
  const outputFolder = await mkdtemp(join(folder, 'run-'));
  await run(input, { format: 'folder', version }, outputFolder);
  const glbs = await glbsIn(join(outputFolder, 'tileset'));
  assert.ok(glbs.size > 0);
  for (const [name, glb] of glbs) assert.deepEqual(await problemsOf(glb), [], `${input.name} ${name}`);
  if (tilesValidator === undefined) return;
  const tileset = join(outputFolder, 'tileset/tileset.json');
  assert.deepEqual(await tilesetProblems(tileset, join(outputFolder, 'report.json')), []);
}

async function inputOf(path: string, name: string): Promise<JobInput> {
  return { path, name, size: (await stat(path)).size };
}

for (const [name, file, content, run] of cases)
  test(`validators find nothing in ${name}`, async () => {
    const path = join(folder, file);
    await writeFile(path, content);
    const input = await inputOf(path, file);
    for (const version of ['1.1', '1.0'] as const) await assertValid(input, run, version);
  });

for (const path of shared)
  test(`validators find nothing in the tiles of ${path.slice(path.lastIndexOf('/') + 1)}`, async () => {
    await assertValid(await inputOf(path, path.slice(path.lastIndexOf('/') + 1)), object, '1.1');
  });

async function oneHouse(): Promise<string> {
  const outputFolder = await mkdtemp(join(folder, 'run-'));
  const path = join(folder, 'one.gml');
  await writeFile(path, cityGml(houseXml(housesInRows(1)[0]!)));
  await object(await inputOf(path, 'one.gml'), { format: 'folder' }, outputFolder);
  return join(outputFolder, 'tileset');
}

test('the validator of glTF sees what is wrong', async () => {
  const [glb] = (await glbsIn(await oneHouse())).values();
  const damaged = Buffer.from(glb!).toString('latin1').replace('"doubleSided":true', '"doubleSided":1234');
  assert.ok((await problemsOf(Buffer.from(damaged, 'latin1'))).length > 0);
});

test(
  'the validator of 3D Tiles sees what is wrong in tiles and in their tree',
  { skip: tilesValidator === undefined && howToGetTilesValidator },
  async () => {
    const tileset = await oneHouse();
    const report = join(tileset, '../report.json');
    const path = join(tileset, 'tileset.json');
    const [[name, glb]] = [...(await glbsIn(tileset))] as [[string, Uint8Array]];
    const damaged = Buffer.from(glb).toString('latin1').replace('"STRING"', '"SCALAR"');
    await writeFile(join(tileset, name), Buffer.from(damaged, 'latin1'));
    assert.match((await tilesetProblems(path, report)).join(), /CLASS_PROPERTY_COMPONENT_TYPE_MISSING/);
    await writeFile(join(tileset, name), glb);
    assert.deepEqual(await tilesetProblems(path, report), []);
    const json = await readFile(path, 'utf8');
    await writeFile(path, json.replace('"geometricError":', '"geometricErrors":'));
    assert.match((await tilesetProblems(path, report)).join(), /geometricError/);
  },
);
