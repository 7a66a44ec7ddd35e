import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import type { FormerResults, JobInput, JobResult } from '../job-type.ts';
import { testContext } from '../testing-context.ts';
import { runConvertVector } from './run.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-convert-update-'));
afterFile(() => rm(root, { recursive: true }));
let jobs = 0;

type Options = Parameters<typeof runConvertVector>[0];
/** The text of each input by its name. */
type Files = Readonly<Record<string, string>>;

interface Run {
  readonly folder: string;
  readonly result: JobResult;
  readonly warnings: string[];
  /** Files of the output with their contents. */
  readonly output: Readonly<Record<string, string>>;
  readonly copied: number;
}

interface RunOptions {
  readonly options?: Options;
  readonly former?: Run;
  /** Inputs whose files are missing: they must not be read. */
  readonly absent?: readonly string[];
}

async function run(files: Files, { options = {}, former, absent = [] }: RunOptions = {}): Promise<Run> {
  const folder = join(root, String(jobs++));
  const [outputFolder, scratchFolder] = [join(folder, 'output'), join(folder, 'scratch')];
  await mkdir(outputFolder, { recursive: true });
  await mkdir(scratchFolder);
  const inputs: JobInput[] = [];
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    if (!absent.includes(name)) await writeFile(path, text);
    inputs.push({ path, name, size: Buffer.byteLength(text), content: hash(text) });
  }
  const warnings: string[] = [];
  const warn = (code: string, message: string) => void warnings.push(`${code}: ${message}`);
  let copied = 0;
  const all = { output: { format: 'geojson', allLayers: true }, ...options };
  const result = await runConvertVector(
    all,
    testContext({
      inputs,
      outputFolder,
      scratchFolder,
      ...(former && { former: formerOf(former) }),
      log: (_level, message) => void (copied += Number(message.startsWith('Copied'))),
      warn,
      reject: warn,
    }),
  );
  assert.deepEqual(await readdir(scratchFolder), []);
  const output: Record<string, string> = {};
  for (const name of (await readdir(outputFolder)).toSorted())
    output[name] = await readFile(join(outputFolder, name), 'latin1');
  return { folder, result, warnings, output, copied };
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

function formerOf({ folder, result }: Run): FormerResults {
  const file = (path: string, resultKey?: string) => ({
    path: join(folder, 'output', path),
    name: path,
    size: 1,
    index: 0,
    ...(resultKey !== undefined && { resultKey }),
  });
  const { datasource, furtherDatasources = [], manifest } = result;
  const further = furtherDatasources.map(({ path, key }) => file(path, key));
  return { manifest: file(manifest!), results: [file(datasource!.path), ...further] };
}

/** An update makes what a full run makes, and says the same. */
async function expectSame(files: Files, former: Run, run_: RunOptions = {}): Promise<Run> {
  const updated = await run(files, { ...run_, former });
  const { absent: _absent, ...full } = run_;
  const { result, output, warnings } = await run(files, full);
  assert.deepEqual(updated.result, result);
  assert.deepEqual(updated.output, output);
  assert.deepEqual(updated.warnings.toSorted(), warnings.toSorted());
  return updated;
}

function features(...points: readonly (readonly [x: number, properties: object])[]): string {
  return JSON.stringify({
    type: 'FeatureCollection',
    features: points.map(([x, properties]) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Point', coordinates: [x, 1] },
    })),
  });
}

const town = {
  'trees.geojson': features([1, { height: 3 }], [2, { height: 4 }]),
  'roads.geojson': features([3, { name: 'Main' }]),
  'lakes.geojson': features([4, { depth: 9 }]),
};
const format = { output: { format: 'flatgeobuf', allLayers: true } } as const;

test('an update reads the changed input only and copies the other layers', async () => {
  const former = await run(town, { options: format });
  assert.deepEqual(
    former.result.furtherDatasources?.map(({ key }) => key),
    ['roads', 'lakes'],
  );
  const changed = { ...town, 'roads.geojson': features([3, { name: 'Main' }], [5, { name: 'Side' }]) };
  const absent = ['trees.geojson', 'lakes.geojson'];
  const updated = await expectSame(changed, former, { options: format, absent });
  assert.equal(updated.copied, 2);
  const again = await expectSame(town, updated, { options: format, absent });
  assert.deepEqual(again.output, former.output, 'an update of an update');
});

test('layers of several inputs are made again of all of them', async () => {
  const layers = [
    { name: 'high', filter: ['>', ['to-number', ['get', 'height'], 0], 3] },
    { name: 'all', source: '*' },
    { name: 'names', source: 'roads', attributes: { label: ['get', 'name'] } },
  ];
  const options = { output: { format: 'geojson', allLayers: true }, modelOptions: { layers } };
  const former = await run(town, { options });
  const lower = { ...town, 'trees.geojson': features([1, { height: 2, extra: 1 }], [2, { height: 5 }]) };
  const updated = await expectSame(lower, former, { options });
  assert.equal(updated.copied, 1);
});

test('inputs that are added, removed or moved, and layers that appear or vanish, are no different from a full run', async () => {
  const former = await run(town);
  const { 'roads.geojson': roads, ...others } = town;
  const reversed = Object.fromEntries(Object.entries(town).toReversed());
  for (const files of [
    others,
    reversed,
    { ...town, 'more.geojson': features([7, {}]) },
    { ...others, 'roads.geojson': roads },
    { ...town, 'lakes.geojson': features([4, { depth: 8 }]) },
  ])
    await expectSame(files, former);
});

test('what an unchanged input is warned about is said again', async () => {
  const broken = '{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[900,900]}}';
  const doubtful = town['lakes.geojson'].replace('[', `[${broken},`);
  const files = { ...town, 'lakes.geojson': doubtful };
  const former = await run(files);
  assert.equal(former.warnings.length, 1);
  const changed = { ...files, 'trees.geojson': features([1, { height: 30 }]) };
  const updated = await expectSame(changed, former, { absent: ['roads.geojson'] });
  assert.equal(updated.copied, 1);
});

test('an input that cannot be read fails as in a full run', async () => {
  const former = await run(town);
  const files = { ...town, 'lakes.geojson': '{"type":"FeatureCollection","features":[{' };
  const messageOf = async (given: RunOptions) => {
    const error = (await run(files, given).catch((reason: unknown) => reason)) as Error;
    return error.message;
  };
  assert.equal(await messageOf({ former }), await messageOf({}));
});

test('pictures of large layers do not depend on the other layers', async () => {
  const many = (offset: number) =>
    features(...Array.from({ length: 8_000 }, (_, i) => [offset + i / 1000, { i }] as const));
  const files = { 'a.geojson': many(0), 'b.geojson': many(1), 'c.geojson': many(2) };
  const former = await run(files);
  await expectSame({ ...files, 'a.geojson': many(3) }, former);
});

test('random changes of random inputs', async () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const kinds = ['a', 'b', 'c', 'd', 'e'];
  const make = () => {
    const count = 1 + random(4);
    return features(
      ...Array.from({ length: count }, () => {
        const kind = kinds[random(kinds.length)]!;
        return [random(90), { kind, [`p${random(3)}`]: random(9) }] as const;
      }),
    );
  };
  const layers = kinds.map((kind) => ({ name: kind, filter: ['==', ['get', 'kind'], kind] }));
  const options = { output: { format: 'geojson', allLayers: true }, modelOptions: { layers } };
  let files: Files = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${i}.geojson`, make()]));
  let former = await run(files, { options });
  let copied = 0;
  for (let round = 0; round < 5; round++) {
    const name = `${random(6)}.geojson`;
    const { [name]: _gone, ...rest } = files;
    files = random(5) === 0 && Object.keys(rest).length > 0 ? rest : { ...files, [name]: make() };
    former = await expectSame(files, former, { options });
    copied += former.copied;
  }
  assert.ok(copied > 0, 'some layers were copied');
});
