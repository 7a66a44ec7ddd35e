import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTiles, openTiles } from '@platen/processing/tiles-vector/testing-tiles';
import { fieldSummaries } from '@platen/styles/attribute-summaries';
import { colourBy, defaultAttribute } from '@platen/styles/style-attribute';
import { styleItem } from '@platen/styles/style-item';
import { goneAttributes } from '@platen/styles/used-attributes';
import { dateAttributes } from '../../web/modules/document/layer-time.ts';

const words = { locale: 'en', others: 'Others', noValue: 'No value' };
const rightToLeft = ['شارع الحمراء', 'רחוב הרצל', '\u202Ereversed\u202C'];

/** From a file to its tiles, and to what the forms of styles and of the time slider offer. */
test('odd attributes reach tiles as they are, and styles stay small', async () => {
  const features = Array.from({ length: 10_000 }, (_, i) => ({
    type: 'Feature',
    properties: {
      name: rightToLeft[i % 3],
      parcel: `N ${i}`,
      use: ['home', 'work', null][i % 3],
      mixed: [1, 'two', true, null, [3], { four: 4 }][i % 6],
      built: i % 4 === 0 ? null : `19${10 + (i % 80)}-03-0${1 + (i % 9)}`,
      empty: null,
    },
    geometry: { type: 'Point', coordinates: [(i % 100) / 100, Math.floor(i / 100) / 100] },
  }));
  const text = JSON.stringify({ type: 'FeatureCollection', features });
  const made = await makeTiles({ 'odd.geojson': text }, { tiling: { maxZoom: 10 } } as never);
  const fields = fieldSummaries(made.result.datasource!.properties['fields']);
  const by = Object.fromEntries(fields.map((field) => [field.name, field]));

  const tiles = await openTiles(made);
  const named = [...tiles.packed.keys()]
    .filter((place) => place.startsWith('10/'))
    .flatMap((place) => Object.values(tiles.read(place)).flat());
  assert.deepEqual(new Set(named.map(({ properties }) => properties['name'])), new Set(rightToLeft));

  assert.equal(by['mixed']!.type, 'mixed');
  assert.ok(by['parcel']!.values.length <= 1000, `${by['parcel']!.values.length} values are listed`);
  assert.notEqual(defaultAttribute(fields)?.name, 'parcel'); // each feature has another
  assert.deepEqual(
    dateAttributes(fields).map(({ name }) => name),
    ['built'],
  );
  for (const field of fields) {
    const style = { colour: colourBy(field), label: { attribute: 'name' } };
    const item = styleItem(style, 'point', words);
    assert.ok(JSON.stringify(item).length < 20_000, field.name);
    assert.match(JSON.stringify(item), /"String\(\$\{name\}\)"/);
    assert.deepEqual(
      goneAttributes(
        style,
        fields.map(({ name }) => name),
      ),
      [],
    );
    assert.deepEqual(goneAttributes(style, ['name']), field.name === 'name' ? [] : [field.name]);
  }
});
