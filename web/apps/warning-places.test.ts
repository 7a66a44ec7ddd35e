import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesOf } from './warning-places.ts';

const modules = [
  { _id: 'a', name: 'Base' },
  { _id: 'b', name: 'Trees: “old” ones', layers: [{ name: 'Oaks/Elms' }] },
];
const ids = ['a', 'b', 'unreadable'];
const at = (index: number, detail: string) => ({
  pointer: `/moduleIds/${index}`,
  code: 'unknownName',
  detail,
});

test('a warning leads to its place in its module, whatever the name of that', () => {
  const [place] = placesOf(
    [at(1, '“Trees: “old” ones”: /layers/0/style: It names “x”: gone.')],
    modules,
    ids,
  );
  assert.deepEqual(place, {
    code: 'unknownName',
    text: 'It names “x”: gone.',
    index: 1,
    moduleId: 'b',
    moduleName: 'Trees: “old” ones',
    thing: 'layers/Oaks/Elms',
  });
});

test('a warning about a whole module leads to the module', () => {
  const [place] = placesOf([at(0, '“Base”: : It is odd.')], modules, ids);
  assert.equal(place?.thing, undefined);
  assert.equal(place?.moduleId, 'a');
  assert.equal(place?.text, 'It is odd.');
});

test('a warning about the app, or about an unreadable module, keeps its text', () => {
  const noMaps = { pointer: '/moduleIds', code: 'noMaps', detail: 'No module has maps.' };
  assert.deepEqual(placesOf([noMaps], modules, ids), [{ code: 'noMaps', text: 'No module has maps.' }]);
  const [place] = placesOf([at(2, '“?”: /layers/0: odd')], modules, ids);
  assert.deepEqual(place, {
    code: 'unknownName',
    text: '“?”: /layers/0: odd',
    index: 2,
    moduleId: 'unreadable',
  });
});
