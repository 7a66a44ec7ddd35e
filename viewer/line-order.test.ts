import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLinesLast, type LineOrderCesium } from './line-order.ts';

class Area {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
class Line extends Area {}

/** As Cesium's. */
class Collection {
  readonly all: Area[] = [];
  get length() {
    return this.all.length;
  }
  get(index: number) {
    return this.all[index];
  }
  add(one: Area, index = this.length) {
    this.all.splice(index, 0, one);
    return one;
  }
}

test('lines are drawn after areas, both in the order in which they came', () => {
  drawLinesLast({
    GroundPolylinePrimitive: Line,
    PrimitiveCollection: Collection,
  } as unknown as LineOrderCesium);
  const collection = new Collection();
  for (const name of ['a', 'b', 'c']) {
    assert.equal(collection.add(new Area(name)).name, name);
    collection.add(new Line(`outline of ${name}`));
  }
  const names = () => collection.all.map(({ name }) => name);
  assert.deepEqual(names(), ['a', 'b', 'c', 'outline of a', 'outline of b', 'outline of c']);
  // a feature whose style has changed takes its places again
  collection.all.splice(4, 1);
  collection.all.splice(1, 1);
  collection.add(new Area('new b'), 1);
  collection.add(new Line('outline of new b'), 1);
  assert.deepEqual(names(), ['a', 'new b', 'c', 'outline of new b', 'outline of a', 'outline of c']);
});
