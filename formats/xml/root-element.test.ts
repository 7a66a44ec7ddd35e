import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rootElement } from './root-element.ts';
import { cpuTime } from '../testing-cpu-time.ts';

const utf8 = (text: string) => rootElement(new TextEncoder().encode(text));

test('the root element is found behind declaration, comments, instructions and DOCTYPE', () => {
  const kml = { name: 'kml', namespace: 'http://www.opengis.net/kml/2.2' };
  assert.deepEqual(utf8('<kml xmlns="http://www.opengis.net/kml/2.2">'), kml);
  assert.deepEqual(
    utf8(
      '\ufeff<?xml version="1.0"?>\n<!-- a <b> c -->\n<?pi <x>?><!DOCTYPE kml [ <!ENTITY a "b"> ]>\n' +
        "<k:kml a = '1'\n xmlns=\"other\" xmlns:k = 'http://www.opengis.net/kml/2.2'><Document/>",
    ),
    kml,
  );
});

test('a root element without a namespace, or cut off, is still named', () => {
  assert.deepEqual(utf8('<gpx/>'), { name: 'gpx', namespace: undefined });
  assert.deepEqual(utf8('<a:gpx version="1.1" xmlns:a="x" xsi:schemaLoca'), { name: 'gpx', namespace: 'x' });
});

test('UTF-16 is read with and without a byte order mark', () => {
  const text = '<?xml version="1.0" encoding="UTF-16"?><gpx xmlns="ä"/>';
  const little = Buffer.from(text, 'utf16le');
  const big = Buffer.from(little).swap16();
  for (const bytes of [
    little,
    big,
    Buffer.concat([Buffer.of(0xff, 0xfe), little]),
    Buffer.concat([Buffer.of(0xfe, 0xff), big]),
  ])
    assert.deepEqual(rootElement(bytes), { name: 'gpx', namespace: 'ä' });
});

test('other files have no root element', () => {
  for (const text of [
    '',
    '{"type":1}',
    'a < b',
    '<',
    '<>',
    '<!-- never closed <kml/>',
    '< kml/>',
    '<kml',
    '\0\0\0',
    '<a="b">',
  ])
    assert.equal(utf8(text), undefined, text);
});

test('a hostile beginning costs no time', () => {
  const spentMs = cpuTime();
  for (const text of [
    '<!DOCTYPE ' + 'a"'.repeat(40_000),
    '<a ' + 'b="c" '.repeat(20_000),
    '<a ' + 'b= '.repeat(20_000),
    '<!--'.repeat(20_000),
    ' '.repeat(70_000),
    '<?'.repeat(30_000),
  ])
    utf8(text);
  assert.ok(spentMs() < 1000, `${spentMs()} ms`);
});
