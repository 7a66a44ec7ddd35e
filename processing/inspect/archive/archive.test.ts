import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { triangleGlb } from '../testing-glb.ts';
import {
  codesOf,
  inspectFile,
  inspectFolder,
  inspectSubject,
  subjectOf,
  survivesDamage,
} from '../testing-subject.ts';

const city = (id: string) =>
  JSON.stringify({
    type: 'CityJSON',
    version: '2.0',
    CityObjects: { [id]: { type: 'Building' } },
    vertices: [],
    transform: { scale: [1, 1, 1], translate: [0, 0, 0] },
  });
const pdf = '%PDF-1.7\n';

test('several models in an archive become its layers, and pictures next to them are ignored', async () => {
  const report = await inspectFile(
    'town.zip',
    zipOfFiles({ 'a.json': city('a'), 'b.json': city('b'), 'read.pdf': pdf, 'texture.png': '\x89PNG\r\n' }),
  );
  assert.deepEqual([report.format, report.kind], ['cityjson', 'cityModel']);
  assert.deepEqual(
    report.layers.map(({ name }) => name),
    ['a', 'b'],
  );
  assert.deepEqual([codesOf(report), report.uses], [['severalFiles'], []]);
  const folder = await inspectFolder({ 'a.json': city('a'), 'b.json': city('b') });
  assert.deepEqual([folder.layers.length, codesOf(folder)], [2, ['severalFiles']]);
});

test('the report about an archive without supported data says what it contains and what to do', async () => {
  const members = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`docs/${i}.pdf`, pdf]));
  const report = await inspectFile('plans.zip', zipOfFiles({ ...members, 'notes.bin': '\0\x01\x02' }));
  assert.deepEqual(
    [report.format, report.layers, report.uses, codesOf(report)],
    ['zip', [], [], ['nothingUsable']],
  );
  assert.match(report.issues[0]!.message, /docs\/\d+\.pdf \(a PDF document\).* and 93 more\. Upload/);
  const empty = await inspectFile('empty.zip', zipOfFiles({}));
  assert.deepEqual(codesOf(empty), ['emptyArchive']);
});

test('documents that are zip files are recognised as documents, and files of another kind are named', async () => {
  const office = await inspectFile(
    'plan.xlsx',
    zipOfFiles({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<a/>' }),
  );
  assert.match(office.issues[0]!.message, /an Office document .*: save the table as CSV/);
  const both = await inspectFile(
    'town.zip',
    zipOfFiles({ 'a.json': city('a'), 'b.json': city('b'), 'c.glb': triangleGlb() }),
  );
  assert.match(
    both.issues[0]!.message,
    /this report covers 2 of 3; files of another kind: c\.glb \(glTF \(binary\)\)/,
  );
});

test('archives in an archive are to be unpacked once', async () => {
  const nested = await inspectFile(
    'all.zip',
    zipOfFiles({ 'a.zip': zipOfFiles({ 'a.json': city('a') }), 'b.zip': zipOfFiles({}) }),
  );
  assert.deepEqual(codesOf(nested), ['nothingUsable']);
  assert.match(nested.issues[0]!.message, /Unpack it once/);
});

test('vectors are left to those who read them', async () => {
  const collection = '{"type":"FeatureCollection","features":[]}';
  for (const members of [
    { 'a.geojson': collection },
    { 'a.geojson': collection, 'legend.pdf': pdf },
    { 'a.csv': 'lon,lat\n1,2\n' },
  ]) {
    assert.equal(await inspectSubject(subjectOf({ 'a.zip': zipOfFiles(members) }, 'a.zip')), undefined);
    assert.equal(await inspectSubject(subjectOf(members)), undefined);
  }
  const mixed = await inspectFile(
    'a.zip',
    zipOfFiles({ 'a.glb': triangleGlb(), 'about.csv': 'lon,lat\n1,2\n' }),
  );
  assert.equal(mixed.format, 'glb');
});

test('a truncated archive, or one with paths outside its folder, is reported', async () => {
  const whole = zipOfFiles({ 'a.json': city('a') });
  assert.deepEqual(codesOf(await inspectFile('a.zip', whole.subarray(0, -30))), ['brokenZip']);
  assert.deepEqual(codesOf(await inspectFile('a.zip', zipOfFiles({ '../../a.json': city('a') }))), [
    'brokenZip',
  ]);
});

test('only the beginning of a packed member of gigabytes is read', async () => {
  const feature = `${JSON.stringify({ type: 'CityJSONFeature', id: 'a', CityObjects: { a: { type: 'Building' } }, vertices: [] })}\n`;
  const times = Math.ceil((90 << 20) / feature.length);
  const content = `${city('x').replace('{"x":{"type":"Building"}}', '{}')}\n${feature.repeat(times)}`;
  const report = await inspectSubject(
    subjectOf({ 'big.zip': bytesOf(zipOfFiles({ 'big.city.jsonl': content })) }, 'big.zip'),
  );
  const [layer] = report!.layers;
  assert.deepEqual([report!.format, layer!.isEstimated], ['cityjsonseq', true]);
  assert.ok(Math.abs(layer!.featureCount! / times - 1) < 0.05, `${layer!.featureCount} instead of ${times}`);
});

test('damage gives a report with an issue, in little memory', { timeout: 120_000 }, async () => {
  await survivesDamage({ 'a.zip': zipOfFiles({ 'a.json': city('a'), 'b.pdf': pdf }) }, 'a.zip', 'a.zip');
});
