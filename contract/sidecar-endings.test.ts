import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownerAmong, possibleOwners } from './sidecar-endings.ts';

test('a sidecar file belongs to a file of its name and folder, whatever the case of the endings', () => {
  assert.deepEqual(possibleOwners('sheets/field.JGW'), [
    'sheets/field.jpg',
    'sheets/field.JPG',
    'sheets/field.jpeg',
    'sheets/field.JPEG',
  ]);
  assert.ok(possibleOwners('field.jpg.aux.xml').includes('field.jpg'));
  assert.ok(possibleOwners('trees.prj').includes('trees.SHP'));
  assert.deepEqual(possibleOwners('field.jpg'), []);
  assert.equal(ownerAmong('a/field.prj', new Set(['field.jpg', 'a/field.tif'])), 'a/field.tif');
  assert.equal(ownerAmong('a/field.prj', new Set(['field.jpg'])), undefined);
});
