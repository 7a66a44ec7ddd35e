import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createPlacedBoxes, declutterLabels } from './declutter-labels.ts';

const boxAt = (x: number, y: number, width = 50) => ({ x, y, width, height: 12 });

test('boxes that overlap one before them have no place, however long they are', () => {
  const placed = createPlacedBoxes();
  assert.ok(placed.add(boxAt(0, 0)));
  assert.ok(!placed.add(boxAt(49, 11)));
  assert.ok(placed.add(boxAt(50, 0)), 'beside it');
  assert.ok(placed.add(boxAt(0, 12)), 'below it');
  assert.ok(placed.add(boxAt(-400, 100, 900)));
  assert.ok(!placed.add(boxAt(300, 105)));
  assert.ok(placed.add(boxAt(600, 105)));
});

class List {
  readonly all: object[];
  constructor(all: object[]) {
    this.all = all;
  }
  get length() {
    return this.all.length;
  }
  get(index: number) {
    return this.all[index];
  }
}
class LabelCollection extends List {}
class PrimitiveCollection extends List {
  show = true;
}

const layerName = Symbol('layer');
const earth = 6_378_137;

/** A globe with labels of layers from the bottom to the top, seen from 1000 km above. */
function globe(
  labelsOf: Readonly<Record<string, { x: number; far?: boolean; rank?: number }[]>>,
  tools: readonly string[] = [],
  rank?: object,
) {
  const all = new Map<string, { show: boolean }[]>();
  const collections = Object.entries(labelsOf).map(([name, places]) => {
    const labels = places.map(({ x, far, rank: own }) => ({
      show: true,
      x,
      olFeature: { get: () => own },
      position: { x: far ? -earth : earth, y: 0, z: 0 },
      computeScreenSpacePosition: () => ({ x, y: 50 }),
    }));
    all.set(name, labels);
    const collection = new PrimitiveCollection([new LabelCollection(labels)]);
    return Object.assign(collection, { [layerName]: name });
  });
  let draw = (): void => assert.fail('nothing follows the scene');
  const scene = {
    primitives: new PrimitiveCollection(collections),
    canvas: { clientWidth: 400, clientHeight: 300 },
    camera: { positionWC: { x: earth + 1e6, y: 0, z: 0 }, positionCartographic: { height: 1e6 } },
    postRender: { addEventListener: (listener: () => void) => void (draw = listener) },
    requestRender() {},
  };
  let activate = (_map: object): void => assert.fail('nothing follows the map');
  const style = (name: string) =>
    tools.includes(name)
      ? {}
      : { cesiumStyle: { labelText: {} }, properties: { mapStyle: { style: { label: { rank } } } } };
  class VectorOpenlayersImpl {
    style = {};
    getOLLayer() {
      return { getDeclutter: () => undefined, getRenderOrder: () => undefined };
    }
  }
  const core = { vcsLayerName: layerName, VectorOpenlayersImpl };
  const Label = {
    getScreenSpaceBoundingBox: (_label: object, { x, y }: { x: number; y: number }) => boxAt(x, y),
  };
  const app = {
    layers: { getByKey: (name: string) => ({ style: style(name) }) },
    maps: {
      mapActivated: { addEventListener: (listener: (map: object) => void) => void (activate = listener) },
    },
  };
  declutterLabels(core as never, { Label, LabelCollection, PrimitiveCollection } as never, app as never);
  activate({ className: 'CesiumMap', getScene: () => scene });
  return {
    flat: (own: object) => Object.assign(new VectorOpenlayersImpl(), { style: own }).getOLLayer(),
    style: style('data'),
    shown: () => Object.fromEntries([...all].map(([name, labels]) => [name, labels.map(({ show }) => show)])),
    labels: (name: string) => all.get(name) as unknown as { show: boolean; x: number }[],
    draw: () => draw(),
  };
}

test('of labels that overlap, those of upper layers stay, then the first, and they come back', async () => {
  const { shown, draw, labels } = globe({ names: [{ x: 10 }, { x: 200 }], data: [{ x: 0 }, { x: 30 }] });
  draw();
  assert.deepEqual(shown(), { names: [false, true], data: [true, false] });
  labels('data')[0]!.show = false; // by its layer
  await setTimeout(250);
  draw();
  assert.deepEqual(shown(), { names: [false, true], data: [false, true] });
});

test('labels of the highest rank stay, wherever they are in the order of features', () => {
  const labels = [{ x: 0 }, { x: 30, rank: 2 }, { x: 60, rank: 1 }, { x: 300, rank: 0 }, { x: 310, rank: 9 }];
  const { shown, draw } = globe({ data: labels }, [], { attribute: 'a', first: 'highest' });
  draw();
  assert.deepEqual(shown(), { data: [false, true, false, false, true] });
});

test('flat maps draw features in the order of their rank, else in their own', () => {
  const { flat, style } = globe({}, [], { attribute: 'a', first: 'lowest' });
  const feature = (uid: number, value?: number) => ({ ol_uid: `${uid}`, get: () => value });
  const features = [feature(3), feature(12, 7), feature(4, 7), feature(9, 1), feature(1)];
  const layer = flat(style) as unknown as { getRenderOrder(): (one: object, other: object) => number };
  const order = layer.getRenderOrder();
  assert.deepEqual(
    features.toSorted(order).map(({ ol_uid: uid }) => uid),
    ['9', '4', '12', '1', '3'],
  );
  assert.equal(layer.getRenderOrder(), order, 'or else the map draws all again with each frame');
  assert.equal(flat({}).getRenderOrder(), undefined);
});

test('labels of tools, of the far side and beyond the screen stay, and are in nobody’s way', () => {
  const { shown, draw } = globe(
    {
      names: [{ x: 10 }, { x: 20, far: true }],
      far: [{ x: 900 }, { x: 910 }],
      measured: [{ x: 0 }, { x: 5 }],
    },
    ['measured'],
  );
  draw();
  assert.deepEqual(shown(), { names: [true, true], far: [true, true], measured: [true, true] });
});
