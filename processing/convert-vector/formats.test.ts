import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { everyFormat, reference, type FileOfFormat } from '../tiles-vector/testing-formats.ts';
import { runConvertVector } from './run.ts';
import { afterFile } from '../../checks/clean-up.ts';
import { testContext } from '../testing-context.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-convert-formats-'));
afterFile(() => rm(root, { recursive: true }));
let jobs = 0;

interface Feature {
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly properties: Readonly<Record<string, unknown>>;
}

async function convert({ name, content }: Pick<FileOfFormat, 'name' | 'content'>, format: string) {
  const folder = join(root, String(jobs++));
  const [outputFolder, scratchFolder] = [join(folder, 'output'), join(folder, 'scratch')];
  for (const path of [outputFolder, scratchFolder]) await mkdir(path, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, content);
  const options = { modelOptions: { layerName: 'all' }, output: { format } };
  const { datasource } = await runConvertVector(
    options,
    testContext({
      inputs: [{ path, name, size: (await stat(path)).size }],
      outputFolder,
      scratchFolder,
      warn: (code, message) => assert.fail(`${code}: ${message}`),
      reject: (code, message) => assert.fail(`${code}: ${message}`),
    }),
  );
  return readFile(join(outputFolder, datasource!.path));
}

/** By name; without what some formats call the feature by, and polygons from their first corner in order. */
async function asGeoJson(file: Pick<FileOfFormat, 'name' | 'content'>): Promise<Map<string, Feature>> {
  const { features } = JSON.parse((await convert(file, 'geojson')).toString()) as { features: Feature[] };
  return new Map(
    features.map(({ geometry, properties: { id: _id, fid: _fid, ...properties } }) => [
      String(properties['name']),
      { geometry: plain(geometry), properties },
    ]),
  );
}

/** Multi-geometries of one member are that member. */
function plain({ type, coordinates }: Feature['geometry']): Feature['geometry'] {
  const [only, ...others] = coordinates as [unknown, ...unknown[]];
  if (type.startsWith('Multi') && others.length === 0)
    return plain({ type: type.slice('Multi'.length), coordinates: only });
  if (type !== 'Polygon') return { type, coordinates };
  const [ring] = coordinates as [number[][]];
  const open = ring.slice(0, -1);
  const west = Math.min(...open.map(([x]) => x!));
  const start = open.findIndex(([x]) => x === west);
  return { type, coordinates: [...open.slice(start), ...open.slice(0, start)] };
}

const wanted = await asGeoJson(reference);

for (const file of await everyFormat()) {
  test(`${file.name} becomes the GeoJSON that it would have been`, async () => {
    const { kinds, attributes } = file;
    const expected = [...wanted].filter(
      ([, { geometry }]) => kinds?.some((kind) => kind === geometry.type) ?? true,
    );
    const made = await asGeoJson(file);
    assert.deepEqual([...made.keys()].toSorted(), expected.map(([name]) => name).toSorted());
    for (const [name, { geometry, properties }] of expected) {
      const keep = Object.entries(properties).filter(
        ([key]) => attributes?.some((one) => one === key) ?? true,
      );
      assert.deepEqual(made.get(name), { geometry, properties: Object.fromEntries(keep) });
    }
  });
}

test('FlatGeobuf that was made of FlatGeobuf holds the same features', async () => {
  const once = await convert(reference, 'flatgeobuf');
  const again = await asGeoJson({ name: 'once.fgb', content: once });
  assert.deepEqual(again, wanted);
});
