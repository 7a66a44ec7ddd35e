import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText } from './fold-text.ts';
import { findPlaces, readPlaces } from './find-places.ts';
import { placesFile } from './places-file.ts';

const { places: lines } = JSON.parse(placesFile().body.toString()) as { places: string };
const places = readPlaces(lines);
const german = new Intl.DisplayNames(['de'], { type: 'region' });

function find(text: string, max = 5): string[] {
  const options = { max, nameOf: (country: string) => german.of(country) ?? country };
  return findPlaces(places, text, options).map(({ name, country }) => `${name} ${country}`);
}

test('the towns are those of GeoNames, the largest first, in a file of two megabytes at most', () => {
  assert.ok(placesFile().body.length < 2_000_000);
  assert.equal(places.length, 46_548);
  const [largest] = findPlaces(places, 'shanghai', { max: 1, nameOf: String });
  assert.deepEqual(largest, {
    name: 'Shanghai',
    country: 'CN',
    longitude: 121.458,
    latitude: 31.222,
    size: 6,
  });
});

test('towns are found by any of their names, however these are typed', () => {
  for (const text of ['München', 'muenchen', 'MUNCHEN', ' münchen ', 'mu\u0308nchen'])
    assert.equal(find(text)[0], 'München DE', text);
  assert.equal(find('Munich')[0], 'Munich DE');
  assert.equal(find('zurich')[0], 'Zürich CH');
  assert.equal(find('Lodz')[0], 'Łódź PL');
  assert.equal(find('Saint-Étienne')[0], 'Saint-Étienne FR');
  assert.equal(find('new york')[0], 'New York City US');
});

test('large towns precede small ones, except for one of exactly this name, and a country narrows the search', () => {
  assert.equal(find('berl')[0], 'Berlin DE');
  assert.equal(find('Essen')[0], 'Essen DE');
  assert.equal(find('Paris, Vereinigte Staaten')[0], 'Paris US');
  assert.equal(find('Paris, us')[0], 'Paris US');
  assert.deepEqual(find('Paris, Atlantis'), []);
  assert.deepEqual(find('x'), []);
  assert.deepEqual(find('…'), []);
  assert.equal(find('san', 3).length, 3);
});

test('names are compared without points, marks of direction and forms of letters', () => {
  assert.equal(foldText('الْقَاهِرَة'), foldText('القاهره'));
  assert.equal(foldText('\u200Fأَسوان\u200E'), foldText('اسوان'));
  assert.equal(foldText('יְרוּשָׁלַיִם'), foldText('ירושלימ'));
  assert.equal(foldText('  L’Aquila—Straße '), 'laquila strasse');
  assert.equal(foldText('<img src=x>'), 'img src x');
});
