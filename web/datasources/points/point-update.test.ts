import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dataOfDatasource,
  dataOfFile,
  isNamedLikeSheet,
  sheetsOf,
  updateParameters,
} from './point-update.ts';

const fileOf = (dataBucketKey: string) => ({ dataBucketId: 'b', dataBucketKey });
const inputOf = (key: string) => ({ type: 'internal', ...fileOf(key) });
const made = {
  datasource: { command: 'create', name: 'Town' },
  options: { input: inputOf('2025/'), tiling: { precisionMetres: 0.01 }, processing: { strict: true } },
};

test('sheets come to those that are there, each once, and all other options stay', () => {
  const chosen = [dataOfFile(fileOf('new.laz'), 'EPSG:25832'), dataOfFile(fileOf('2025/'))];
  assert.deepEqual(updateParameters(made, { tool: 'sheets', datasourceId: 'd', chosen }), {
    datasource: { command: 'update', datasourceId: 'd' },
    options: {
      input: [{ ...inputOf('new.laz'), crs: 'EPSG:25832' }, inputOf('2025/')],
      tiling: { precisionMetres: 0.01 },
      processing: { strict: true },
    },
  });
});

test('images and older clouds are inputs that the options name', () => {
  const datasource = {
    _id: 'o',
    sourceProperties: { type: 'internal', ...fileOf('.jobs/1/ortho.tif') },
  } as const;
  const chosen = [dataOfDatasource(datasource)!];
  const coloured = updateParameters(made, { tool: 'colour', datasourceId: 'd', chosen, isForAll: true });
  assert.deepEqual(coloured['options'], {
    ...made.options,
    input: [inputOf('2025/'), { type: 'datasource', datasourceId: 'o' }],
    processing: { strict: true, colour: { from: 'ortho.tif', when: 'always' } },
  });
  const compared = updateParameters(coloured, {
    tool: 'compare',
    datasourceId: 'd',
    chosen: [dataOfFile(fileOf('scans/2019/'))],
  });
  const { input, processing } = compared['options'] as { input: unknown[]; processing: object };
  assert.equal(input.length, 3);
  assert.deepEqual(processing, {
    strict: true,
    colour: { from: 'ortho.tif', when: 'always' },
    compareTo: { input: '2019' },
  });
  const external = {
    _id: 'e',
    sourceProperties: { type: 'external', url: 'https://example.org/a.tif' },
  } as const;
  assert.equal(dataOfDatasource(external), undefined);
});

test('the sheets of a datasource are neither its images nor its older cloud', () => {
  const options = {
    input: ['a.laz', 'b.las', 'ortho.tif', '2019/', 'pictures/'].map(inputOf),
    processing: { colour: { from: 'pictures' }, compareTo: { input: '2019' } },
  };
  assert.deepEqual(sheetsOf({ options }), ['a.laz', 'b.las'].map(inputOf));
  assert.deepEqual(sheetsOf({}), []);
});

test('data that the job could not tell from a sheet by their name are known', () => {
  const old = dataOfFile(fileOf('2019/a.laz'));
  const former = { options: { input: ['a.laz', 'b.laz'].map(inputOf) } };
  assert.equal(isNamedLikeSheet(former, 'compare', old), true);
  assert.equal(isNamedLikeSheet(former, 'sheets', old), false);
  assert.equal(isNamedLikeSheet(former, 'compare', dataOfFile(fileOf('2019/'))), false);
  const earlier = { options: { ...former.options, processing: { compareTo: { input: 'a.laz' } } } };
  assert.equal(isNamedLikeSheet(earlier, 'compare', old), false, 'it takes the place of the older cloud');
});
