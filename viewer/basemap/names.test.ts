import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTile } from '@platen/geo/mvt/read-tile';
import { nearNamesZoom } from '../world-names-layers.ts';
import { firstZooms } from './name-rooms.ts';
import { nameTile } from './name-tile.ts';
import { worldNames, type WorldName } from './world-names.ts';

const town = (x: number, name: string, more: Partial<WorldName> = {}): WorldName => ({
  at: [x, 0.5],
  kind: 'town',
  minZoom: 0,
  maxZoom: Infinity,
  names: { en: name, de: name },
  ...more,
});

test('a name waits for the zoom level at which it has room next to more important ones', () => {
  const one = town(0.5, 'Large');
  assert.deepEqual(firstZooms([one, town(0.55, 'Near')], 5), [0, 2]);
  assert.deepEqual(firstZooms([one, town(0.9, 'Far')], 5), [0, 0]);
  assert.deepEqual(firstZooms([one, town(0.9, 'Small', { minZoom: 3 })], 5), [0, 3]);
  assert.deepEqual(firstZooms([one, town(0.5, 'At the same place')], 5), [0, Infinity]);
  // from its last level on, it leaves its room to others
  assert.deepEqual(firstZooms([{ ...one, maxZoom: 1 }, town(0.5, 'Same')], 5), [0, 2]);
});

test('capitals and large towns are on the map of a continent, in both languages', () => {
  const names = worldNames();
  const zooms = firstZooms(names, nearNamesZoom);
  const shownAt = (zoom: number) => names.filter((_, index) => zooms[index]! <= zoom);
  const german = new Set(shownAt(5).map((name) => name.names.de));
  for (const name of ['Berlin', 'Wien', 'Rom', 'Madrid', 'Warschau', 'Peking', 'Kairo', 'Deutschland'])
    assert.ok(german.has(name), name);
  const english = new Set(shownAt(nearNamesZoom).map((name) => name.names.en));
  for (const name of ['Vienna', 'Rome', 'Munich', 'Cologne', 'Milan', 'Gothenburg', 'Germany'])
    assert.ok(english.has(name), name);
});

test('a country on both sides of the antimeridian has its name there', () => {
  const fiji = worldNames().find(({ names }) => names.en === 'Fiji');
  assert.ok(fiji !== undefined && Math.abs(Math.abs(fiji.at[0] - 0.5) - 0.5) < 0.02, String(fiji?.at));
});

test('the last tiles have the names of the levels below them as well, and those of no country', () => {
  const placed = [
    { ...town(0.1, 'Early'), firstZoom: 0 },
    { ...town(0.2, 'Late', { names: { en: 'Late', de: 'Spät' } }), firstZoom: 3 },
    { ...town(0.3, 'Never'), firstZoom: Infinity },
    { ...town(0.4, 'Land', { kind: 'country', maxZoom: 0 }), firstZoom: 0 },
  ];
  const namesOf = (z: number, y: number) => {
    const tile = nameTile(placed, { z, x: 0, y }, { language: 'de', maxZoom: 1 });
    const found: unknown[] = [];
    for (const layer of readTile(tile))
      layer.visitFeatures((_, attributes) =>
        found.push([attributes().get('name'), attributes().get('near')]),
      );
    return found;
  };
  assert.deepEqual(namesOf(0, 0), [
    ['Early', undefined],
    ['Land', undefined],
  ]);
  assert.deepEqual(namesOf(1, 1), [
    ['Early', undefined],
    ['Spät', 1],
  ]);
});
