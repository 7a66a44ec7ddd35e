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
import { runTilesObject } from '../tiles-object/run.ts';
import { cityGml, houseXml, housesInRows } from '../tiles-object/testing-models.ts';
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

type Run = (input: JobInput, output: object, outputFolder: string) => Promise<unknown>;
const object: Run = (input, output, outputFolder) =>
  runTilesObject(
    { tiling: { features: 30 }, appearance: { outlines: true }, output },
    contextOf(input, outputFolder),
  );
const surfaceTiles: Run = (input, output, outputFolder) =>
  runTilesMesh(
    { modelOptions: { placement }, tiling: { triangles: 1000 }, output },
    contextOf(input, outputFolder),
  );
const contextOf = (input: JobInput, outputFolder: string) =>
  testContext({ inputs: [input], outputFolder, scratchFolder: join(outputFolder, 'scratch') });

const cases: readonly (readonly [name: string, file: string, content: Uint8Array | string, run: Run])[] = [
  ['a town', 'town.gml', cityGml(town), object],
  [
    'a textured house',
    'house.zip',
    zipOfFiles({ 'house.gml': cityGml(textured), 'photo.png': photo }),
    object,
  ],
  ['a textured surface', 'surface.zip', zipOfFiles(mesh), surfaceTiles],
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
}

async function inputOf(path: string, name: string): Promise<JobInput> {
  return { path, name, size: (await stat(path)).size };
}

for (const [name, file, content, run] of cases)
  test(`the validator of glTF finds nothing in the tiles of ${name}`, async () => {
    const path = join(folder, file);
    await writeFile(path, content);
    const input = await inputOf(path, file);
    await assertValid(input, run, '1.1');
    if (run === object) await assertValid(input, run, '1.0');
  });

for (const path of shared)
  test(`the validator of glTF finds nothing in the tiles of ${path.slice(path.lastIndexOf('/') + 1)}`, async () => {
    await assertValid(await inputOf(path, path.slice(path.lastIndexOf('/') + 1)), object, '1.1');
  });

test('the validator sees what is wrong', async () => {
  const outputFolder = await mkdtemp(join(folder, 'run-'));
  const path = join(folder, 'one.gml');
  await writeFile(path, cityGml(houseXml(housesInRows(1)[0]!)));
  await object(await inputOf(path, 'one.gml'), { format: 'folder' }, outputFolder);
  const [glb] = (await glbsIn(join(outputFolder, 'tileset'))).values();
  const damaged = Buffer.from(glb!).toString('latin1').replace('"doubleSided":true', '"doubleSided":1234');
  assert.ok((await problemsOf(Buffer.from(damaged, 'latin1'))).length > 0);
});
