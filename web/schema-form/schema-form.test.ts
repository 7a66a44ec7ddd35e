import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskSpecs } from '@platen/processing/catalog';
import { parametersSchema } from '../../server/jobs/types/parameters-schema.ts';
import { crsCode, findCrs } from '../pickers/crs.ts';
import { fieldsOf, kindOf, sectionsOf } from './fields.ts';
import { listValues } from './list-values.ts';
import { numbersOf } from './numbers-of.ts';
import { findProblems } from './problems.ts';
import { narrow, type Schema } from './schema.ts';
import { countSet, getAt, pointerOf, setAt } from './values.ts';
import { humanize, splitOptions } from './option-texts.ts';

const schemaOf = (name: string) =>
  JSON.parse(JSON.stringify(parametersSchema(taskSpecs().find((spec) => spec.name === name)!))) as Schema;
const tiles = schemaOf('TilesVector');
const file = { type: 'internal', dataBucketId: 'b', dataBucketKey: 'roads.geojson' };

test('a form of vector tiles asks for the source, the destination, and then each group', () => {
  assert.deepEqual(
    sectionsOf(tiles).map(({ path, field }) => [path.join('.'), field?.key]),
    [
      ['options', 'input'],
      ['', 'datasource'],
      ['options.tiling', 'tiling'],
      ['options.modelOptions', 'modelOptions'],
      ['options.processing', 'processing'],
      ['options.output', 'output'],
    ],
  );
});

test('options of a job type outside all groups become one part of the form', () => {
  const sections = sectionsOf(schemaOf('PublishApp'));
  assert.deepEqual(
    sections.map(({ path, fields }) => [path.join('.'), fields.map(({ key, kind }) => `${key} ${kind}`)]),
    [
      [
        'options',
        ['appId app', 'credentialsId credentials', 'destination text', 'numThreads number', 'gzip switch'],
      ],
    ],
  );
});

test('every option of every job type has a field that knows it', () => {
  const unknown: string[] = [];
  const visit = (schema: Schema, path: string) => {
    for (const field of fieldsOf(schema)) {
      if (field.kind === 'json') unknown.push(`${path}${field.key}`);
      visit(field.kind === 'items' ? (field.schema.items as Schema) : field.schema, `${path}${field.key}.`);
    }
  };
  for (const { name } of taskSpecs()) visit(schemaOf(name), `${name}.`);
  assert.deepEqual(unknown, []);
});

test('advanced options are folded, and deprecated ones are shown only if they are set', () => {
  const output = (tiles.properties!['options'] as Schema).properties!['output']!;
  const fields = fieldsOf(output);
  assert.deepEqual(
    fields.filter(({ isAdvanced }) => isAdvanced).map(({ key }) => key),
    ['description'],
  );
  assert.ok(fieldsOf(output, { tileLimitKilobytes: 3 }).some(({ key }) => key === 'tileLimitKilobytes'));
});

test('numbers are written one after the other, and what is no number is kept to be reported', () => {
  assert.equal(kindOf({ type: 'array', items: { type: 'integer' } }), 'numbers');
  assert.deepEqual(numbersOf(' 4, 3;2.5  -1e3 '), [4, 3, 2.5, -1000]);
  assert.deepEqual(numbersOf('1, x'), [1, 'x']);
  assert.deepEqual(numbersOf(' ,'), []);
});

test('schemas that forms do not know are edited as JSON', () => {
  assert.equal(kindOf({}), 'json');
  assert.equal(kindOf({ type: 'array', items: { type: 'array' } }), 'json');
  assert.equal(kindOf({ type: 'string', 'x-editor': 'of tomorrow' }), 'text');
  assert.equal(kindOf({ type: 'object', additionalProperties: { type: 'number' } }), 'record');
});

test('each problem is reported once, at its place, for the variant that the value has', () => {
  const value = {
    datasource: { command: 'create', name: 'Roads' },
    options: {
      input: [file, { type: 'external' }],
      tiling: { maxZoom: 99, preset: 'huge' },
      modelOptions: { layers: [{ labelPoints: { layer: '' } }], types: { height: 'text' } },
      processing: { cluster: { aggregates: { sum: ['total', 3] } }, memoryMegabytes: 1.5 },
    },
  };
  assert.deepEqual(
    findProblems(tiles, value).map(({ pointer, keyword, limit }) => [pointer, keyword, limit]),
    [
      ['/options/input/1/url', 'required', undefined],
      ['/options/tiling/preset', 'enum', ['small', 'city', 'country', 'points', 'boundaries']],
      ['/options/tiling/maxZoom', 'maximum', 18],
      ['/options/modelOptions/types/height', 'enum', ['string', 'number', 'integer', 'boolean']],
      ['/options/modelOptions/layers/0/name', 'required', undefined],
      ['/options/modelOptions/layers/0/labelPoints/layer', 'minLength', 1],
      ['/options/processing/cluster/aggregates/sum/0', 'enum', ['sum', 'min', 'max', 'mean', 'count']],
      ['/options/processing/cluster/aggregates/sum/1', 'type', 'string'],
      ['/options/processing/memoryMegabytes', 'type', 'integer'],
    ],
  );
});

test('keys that no schema knows are nothing wrong', () => {
  const value = { datasource: { command: 'create' }, options: { input: file, fromElsewhere: { a: 1 } } };
  assert.deepEqual(findProblems(tiles, value), []);
});

test('a choice between shapes is made by the constants of the value', () => {
  const input = (tiles.properties!['options'] as Schema).properties!['input']!;
  assert.deepEqual(narrow(input, { type: 'external' }).required, ['type', 'url']);
  assert.equal(narrow(input, [file]).prefixItems![0]!.required![1], 'dataBucketId');
});

test('an unset value can be set and removed again', () => {
  const set = setAt({ a: 1 }, ['b', 'list', 0, 'x'], 2);
  assert.deepEqual(set, { a: 1, b: { list: [{ x: 2 }] } });
  assert.deepEqual(setAt(set, ['b', 'list', 0, 'x'], undefined), { a: 1, b: { list: [{}] } });
  assert.deepEqual(setAt({ a: [1, 2, 3] }, ['a', 1], undefined), { a: [1, 3] });
  assert.deepEqual(setAt({ a: 1, b: { c: 2 } }, ['b', 'c'], undefined), { a: 1, b: {} });
  assert.equal(getAt(set, ['b', 'list', 0, 'x']), 2);
  assert.equal(pointerOf(['a/b', 0, 'c~d']), '/a~1b/0/c~0d');
});

test('the values of groups are counted one by one, a list once', () => {
  assert.equal(countSet({ a: 1, b: { c: false, d: [1, 2, 3] } }), 3);
  assert.equal(countSet(undefined), 0);
});

test('help that explains each option is taken apart', () => {
  assert.deepEqual(
    splitOptions('How it ends. keep: as it is. dropDensest: less. Always.', ['dropDensest', 'keep']),
    {
      intro: 'How it ends.',
      texts: { keep: 'As it is.', dropDensest: 'Less. Always.' },
    },
  );
  assert.deepEqual(splitOptions('Tile units.', ['512']), { intro: 'Tile units.', texts: {} });
  assert.equal(humanize('dropDensest'), 'Drop densest');
});

test('a CRS is found by words, and any code of EPSG is one', () => {
  assert.equal(crsCode(' 25832 '), 'EPSG:25832');
  assert.equal(crsCode('epsg::4979'), 'EPSG:4979');
  assert.equal(crsCode('crs84'), 'OGC:CRS84');
  assert.equal(crsCode('UTM'), undefined);
  assert.deepEqual(
    findCrs('utm 33 etrs').map(({ code }) => code),
    ['EPSG:25833', 'EPSG:5556'],
  );
});

test('all values that are set are listed, also those that no schema knows', () => {
  const value = {
    datasource: { command: 'update' },
    options: { input: file, tiling: { maxZoom: 3, oldOne: 1 }, processing: { cluster: { distance: 5 } } },
  };
  assert.deepEqual(
    listValues(tiles, value).map(({ path, field }) => [path.join('.'), field?.kind]),
    [
      ['datasource', 'target'],
      ['options.input', 'sources'],
      ['options.tiling.maxZoom', 'number'],
      ['options.tiling.oldOne', undefined],
      ['options.processing.cluster.distance', 'number'],
    ],
  );
});
