import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as lucide from '@lucide/vue';
import { failureCodes } from '@platen/contract/failure-codes';
import { HeightOptions } from '@platen/processing/heights/height-options';
import type { JobSpec, TaskSpec } from '@platen/processing/job-type';
import { noticeCodes, rejectCodes } from '@platen/processing/warning-codes';
import { parametersSchema } from '../../server/jobs/types/parameters-schema.ts';
import { kindOf } from '../schema-form/fields.ts';
import type { FieldTexts } from '../schema-form/form.ts';
import { splitOptions } from '../schema-form/option-texts.ts';
import { branchesOf, itemsOf, valuesOf, type Schema } from '../schema-form/schema.ts';
import { formWords, jobMessages, languages, merge, readJobFolders, type Messages } from './job-words.ts';
import { areaMessages } from './messages-plugin.ts';

const web = `${import.meta.dirname}/..`;
const folders = readJobFolders();
const specs = folders.flatMap((folder) => folder.specs);
const taskSpecs = specs.filter((spec): spec is TaskSpec => 'icon' in spec);
const textAt = (messages: Messages, ...keys: string[]) =>
  keys.reduce<string | Messages | undefined>(
    (part, key) => (typeof part === 'object' ? part[key] : undefined),
    messages,
  );
const areas = ['job-names', 'tasks', 'preview', 'jobs'];
const messages = languages.map((language) => [language, areaMessages(web, areas, language)] as const);

const isSentence = (text: unknown) => typeof text === 'string' && text.length > 10;

/** What the interface does not find of these, in each language. */
function missing(keysOf: (spec: JobSpec | TaskSpec) => readonly (readonly string[])[]): string[] {
  return messages.flatMap(([language, words]) =>
    specs.flatMap((spec) =>
      keysOf(spec)
        .filter((keys) => textAt(words, ...keys) === undefined)
        .map((keys) => `${language} ${spec.name}: ${keys.join('.')}`),
    ),
  );
}

test('every job type has a title, those of tasks a description, and those that are suggested an invitation', () => {
  assert.ok(taskSpecs.length >= 7);
  assert.deepEqual(
    missing((spec) => [
      ['job-names', 'types', spec.name],
      ...('icon' in spec ? [['tasks', 'typeTexts', spec.name]] : []),
      ...('icon' in spec && (spec.suggest || spec.mapsOf)
        ? ['title', 'text'].map((part) => ['preview', 'jobs', spec.name, part])
        : []),
    ]),
    [],
  );
});

test('every phase of a job type and its unit have names', () => {
  assert.ok(specs.filter(({ phases }) => phases).length > 3);
  assert.deepEqual(
    missing(({ phases = {} }) =>
      Object.entries(phases).flatMap(([phase, { unit }]) => [
        ['jobs', 'phases', phase],
        ['jobs', 'units', unit],
      ]),
    ),
    [],
  );
});

test('every code of a failure or a warning says what happened and what to do', () => {
  const warnings = [...rejectCodes, ...noticeCodes];
  for (const [language, words] of messages) {
    const without = [
      ...failureCodes.flatMap((code) => ['what', 'todo'].map((part) => ['failures', code, part])),
      ...warnings.flatMap((code) => ['warnings', 'warningAdvice'].map((part) => [part, code])),
    ].filter((keys) => !isSentence(textAt(words, 'jobs', ...keys)));
    assert.deepEqual(without, [], language);
  }
});

test('the words of codes and types belong to those that exist', () => {
  const known = new Set<string>([...failureCodes, ...rejectCodes, ...noticeCodes]);
  for (const { name, specs: own, words } of folders) {
    for (const { types = {}, warnings = {}, failures = {} } of Object.values(words)) {
      assert.deepEqual(
        [...Object.keys(warnings), ...Object.keys(failures)].filter((code) => !known.has(code)),
        [],
        name,
      );
      assert.deepEqual(
        Object.keys(types).filter((type) => own.every((spec) => spec.name !== type)),
        [],
        name,
      );
    }
  }
});

test('every icon is one of Lucide', () => {
  const unknown = taskSpecs.filter(({ icon }) => !Object.hasOwn(lucide, icon));
  assert.deepEqual(
    unknown.map(({ name, icon }) => `${name}: ${icon}`),
    [],
  );
});

/** Units of measurement that are the same in all languages. */
const symbols = new Set(['%', 'kB', 'm', 'MB', 'px', 's']);

/** The options in a group, in the entries of a list or record, and in all variants. */
function optionsIn(schema: Schema): (readonly [string, Schema])[] {
  const inner = [...(branchesOf(schema) ?? []), itemsOf(schema), valuesOf(schema)];
  return [
    ...Object.entries(schema.properties ?? {}),
    ...inner.flatMap((part) => (part ? optionsIn(part) : [])),
  ];
}

/** What an option lacks. */
function faultsOf(schema: Schema, texts: FieldTexts = {}): string[] {
  const { title, description = '', enum: values = [], 'x-unit': unit } = schema;
  const explained = Object.keys(splitOptions(description, values.map(String)).texts);
  return [
    ...(title === undefined && !['group', 'constant'].includes(kindOf(schema)) ? ['no title'] : []),
    ...(title !== undefined && texts.title === undefined ? ['no German title'] : []),
    ...(description !== '' && !texts.help && !texts.options ? ['no German help'] : []),
    ...(unit !== undefined && !symbols.has(unit) && !texts.unit ? [`no German word for ${unit}`] : []),
    ...explained.filter((value) => !texts.options?.[value]).map((value) => `no German text of ${value}`),
  ];
}

test('every option has a title, and all its texts are translated', () => {
  const { shared, types } = formWords(web, folders, 'de');
  const faults = new Set<string>();
  const used = new Set<string>();
  const visit = (spec: Pick<TaskSpec, 'name' | 'folder'>, schema: Schema, path: string): void => {
    const own = types[spec.name]?.[path];
    used.add(own ? `${spec.folder} ${path}` : path);
    for (const fault of faultsOf(schema, own ?? shared[path])) faults.add(`${spec.name} ${path}: ${fault}`);
    // this has a control with words of its own
    if (kindOf(schema) === 'target') return;
    for (const [key, one] of optionsIn(schema)) {
      const isInput = kindOf(schema) === 'sources' && one.title === undefined;
      if (!isInput) visit(spec, one, `${path}.${key}`);
    }
  };
  for (const spec of taskSpecs)
    for (const [key, schema] of optionsIn(plain(parametersSchema(spec)))) visit(spec, schema, key);
  // no type has heights yet
  visit({ name: 'heights', folder: 'heights' }, plain(HeightOptions), 'options.heights');
  assert.deepEqual([...faults], []);
  const all = [
    ...Object.keys(shared),
    ...taskSpecs.flatMap(({ name, folder }) =>
      Object.keys(types[name] ?? {}).map((path) => `${folder} ${path}`),
    ),
  ];
  assert.deepEqual(
    all.filter((path) => !used.has(path)),
    [],
    'these translate no option',
  );
});

const plain = (schema: object) => JSON.parse(JSON.stringify(schema)) as Schema;

test('a key with two texts is an error', () => {
  assert.deepEqual(merge({ a: { b: '1' } }, { a: { b: '1', c: '2' } }), { a: { b: '1', c: '2' } });
  assert.throws(() => merge({ a: { b: '1' } }, { a: { b: '2' } }), /“b” has two texts/);
  const words = { en: { phases: { read: 'Devouring' } }, de: {} };
  const other = { name: 'other', specs: [], words };
  assert.throws(
    () =>
      merge(
        textAt(areaMessages(web, ['jobs'], 'en'), 'jobs') as Messages,
        textAt(jobMessages([other], 'en'), 'jobs') as Messages,
      ),
    /Devouring/,
  );
});

test('every code that the manual names as a warning has words', () => {
  const manual = readFileSync(new URL('../../docs/warnings.md', import.meta.url), 'utf8');
  const codes = [...manual.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, code]) => code!),
  );
  assert.ok(codes.length > 30);
  for (const [language, words] of messages)
    for (const part of ['warnings', 'warningAdvice'])
      assert.deepEqual(
        codes.filter((code) => textAt(words, 'jobs', part, code) === undefined),
        [],
        `${language} ${part}`,
      );
});
