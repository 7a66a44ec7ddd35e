import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summariseAttributes } from './attribute-summaries.ts';
import { defaultCard, defaultRow } from './default-card.ts';

const summaries = (features: Record<string, unknown>[]) => summariseAttributes(features);

test('the default is a title and the first five attributes that tell something', () => {
  const features = ['Oak', 'Lime', 'Elm'].map((name, i) => ({
    OBJECTID: i,
    the_geom: 'POINT(0 0)',
    lat: i,
    city: 'Ulm',
    _internal: i,
    species: `S${i}`,
    height_m: i * 10.5,
    treeName: name,
    planted: `198${i}-04-01`,
    crownWidth: i,
    site: `https://example.org/${i}`,
    photo: `https://example.org/${i}.jpg`,
    note: `Note ${i}`,
  }));
  assert.deepEqual(defaultCard(summaries(features)), {
    place: 'balloon',
    title: 'treeName',
    rows: [
      { type: 'text', attribute: 'species', title: 'Species' },
      { type: 'text', attribute: 'height_m', title: 'Height', unit: 'm' },
      { type: 'date', attribute: 'planted', title: 'Planted' },
      { type: 'text', attribute: 'crownWidth', title: 'Crown width' },
      { type: 'link', attribute: 'site', title: 'Site' },
    ],
  });
});

test('the shortest name is the title, else a text that tells features apart, else none', () => {
  const titleOf = (features: Record<string, unknown>[]) => defaultCard(summaries(features)).title;
  assert.equal(titleOf([{ street_name: 'a', name: 'b' }]), 'name');
  const many = Array.from({ length: 20 }, (_, i) => ({ id: `x${i}`, use: `u${i % 3}`, street: `s${i}` }));
  assert.equal(titleOf(many), 'street');
  assert.equal(titleOf([{ height: 3 }]), undefined);
  const odd = Array.from({ length: 40 }, (_, i) => ({
    angle: `(1:${i}.7)`,
    surveyed: `2016-04-12T11:${i + 10}:23.000`,
    ...(i < 14 && { note: `some ${i}` }),
  }));
  assert.equal(titleOf(odd), undefined, 'numbers, times, and what few features have');
  assert.equal(titleOf(odd.map((one, i) => Object.assign(one, { street: i > 1 ? `s${i}` : '-' }))), 'street');
});

test('of a single feature everything but geometry is shown, and of none nothing', () => {
  const { rows } = defaultCard(summaries([{ kind: 'park', area: 7, geom: 'x' }]));
  assert.deepEqual(
    rows.map(({ attribute }) => attribute),
    ['kind', 'area'],
  );
  assert.deepEqual(defaultCard([]), { place: 'balloon', rows: [] });
});

test('addresses of pictures are pictures, from their server', () => {
  const rowOf = (...photo: string[]) =>
    defaultCard(summaries(photo.map((one, i) => ({ photo: one, i })))).rows[0];
  const row = { type: 'picture', attribute: 'photo', title: 'Photo' };
  assert.deepEqual(rowOf('https://p.example/1.jpg', 'https://p.example/2.PNG?x=1'), {
    ...row,
    host: 'https://p.example',
  });
  assert.deepEqual(rowOf('https://p.example/1.jpg', 'https://q.example/2.jpg'), row);
});

test('names are made readable, in any script', () => {
  const titleOf = (name: string) => defaultRow({ name, type: 'string', count: 1, values: ['x'] }).title;
  assert.deepEqual(['BAUJAHR_VON', 'KFZ', 'straßenName', 'اسم', 'a-b_c', '__', ''].map(titleOf), [
    'Baujahr VON',
    'KFZ',
    'Straßen name',
    'اسم',
    'A b c',
    '__',
    '',
  ]);
});
