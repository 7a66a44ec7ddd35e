import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NewApp } from '@platen/contract/apps';
import { Value } from 'typebox/value';
import { slugOfName } from './slug-of-name.ts';

test('a name becomes words of Latin letters and digits', () => {
  for (const [name, slug] of [
    ['Trees of Berlin', 'trees-of-berlin'],
    ['  Bäume & Parks (2026) – Köln ', 'baeume-parks-2026-koeln'],
    ['BA\u0308UME', 'baeume'],
    ['Straße', 'strasse'],
    ['Łódź, plan miasta', 'lodz-plan-miasta'],
    ['Карта города', 'karta-goroda'],
    ['北京', 'beijing'],
    ['🌳', 'deciduous-tree'],
    ['…', 'map'],
    ['A', 'map-a'],
    ['x'.repeat(26), `map-${'x'.repeat(26)}`],
  ] as const)
    assert.equal(slugOfName(name), slug);
});

test('a long name ends with a whole word, and a long word is cut', () => {
  assert.equal(slugOfName(`${'word '.repeat(11)}longer`), 'word-'.repeat(11).slice(0, -1));
  assert.equal(slugOfName('y'.repeat(255)), 'y'.repeat(60));
});

test('whatever the name, the slug is one that an app may have', () => {
  const names = Array.from({ length: 0x3000 }, (_, code) =>
    String.fromCodePoint(code).repeat((code % 40) + 1),
  );
  for (const name of ['', ...names])
    assert.ok(Value.Check(NewApp, { name: 'x', slug: slugOfName(name) }), name);
});
