import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestFolder } from '@platen/formats/testing-folder';
import fc from 'fast-check';
import { contentHashOf } from './hash-content.ts';
import { PrismRepresentation } from './prism.ts';
import { readShapes } from './read-shapes.ts';
import { openShapeFile } from './shape-file.ts';
import type { Shape } from './shape.ts';

const { newPath } = makeTestFolder('');

function shapeOf(attributes: readonly (readonly [string, string | number | boolean])[]): Shape {
  return {
    id: 'house',
    class: 'Building',
    attributes: new Map(attributes),
    place: { lon: 11, lat: 48, height: 500 },
    region: [10.9, 47.9, 11.1, 48.1, 500, 510],
    looks: [],
    representations: [
      new PrismRepresentation(0, {
        vertices: [0, 0, 1, 0, 0, 1],
        triangles: [0, 1, 2],
        edges: [0, 1, 1, 2, 2, 0],
        bottom: 0,
        top: 3,
        hasGround: true,
        wallLook: -1,
        roofLook: -1,
      }),
    ],
    goneError: 4,
  };
}

const values = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean());
const attributeLists = fc.array(fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'höhe', '高さ', '__proto__'), values), { selector: ([name]) => name }), { minLength: 1 }); // prettier-ignore

test('shapes have their attributes, in their order, whatever those of others are', () => {
  fc.assert(
    fc.property(attributeLists, (lists) => {
      const file = openShapeFile(newPath());
      const ranges = lists.map((list) => file.append(file.pack(shapeOf(list))));
      file.flush();
      file.close();
      const read = readShapes(ranges);
      for (const [i, list] of lists.entries()) assert.deepEqual([...read[i]!.attributes], list);
    }),
    { numRuns: 50 },
  );
});

test('the hash of a shape depends on names and values, and not on the file', () => {
  const [one, other] = [openShapeFile(newPath()), openShapeFile(newPath())];
  other.append(other.pack(shapeOf([['first', 1]])));
  const hash = contentHashOf(one.pack(shapeOf([['use', 'home']])));
  assert.equal(contentHashOf(other.pack(shapeOf([['use', 'home']]))), hash);
  assert.notEqual(contentHashOf(other.pack(shapeOf([['class', 'home']]))), hash);
  assert.notEqual(contentHashOf(other.pack(shapeOf([['use', 'shop']]))), hash);
});
