import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceColours, type ReplacingCesium } from './replace-colours.ts';

/** As Cesium's. */
class Expression {
  readonly red: number;
  constructor(red: number) {
    this.red = red;
  }
  evaluateColor() {
    return { red: this.red, green: 0, blue: 1 };
  }
}
class Cesium3DTileset {
  readonly colorBlendMode: number;
  readonly #extras: object | undefined;
  constructor(colorBlendMode: number, extras?: object) {
    this.colorBlendMode = colorBlendMode;
    this.#extras = extras;
  }
  get extras(): object | undefined {
    return this.#extras;
  }
  static async fromUrl(_url: string, extras?: object) {
    return new Cesium3DTileset(0, extras);
  }
}
class Cesium3DTileStyle {
  readonly color = new Expression(1);
}
replaceColours({ Cesium3DTileStyle, Cesium3DTileset } as unknown as ReplacingCesium);
const { evaluateColor } = Expression.prototype as unknown as InstanceType<
  ReplacingCesium['Cesium3DTileStyle']
>['color'];

test('colours that replace others are linear, all others stay as they are', () => {
  const grey = new Expression(0.5);
  const redIn = (tileset?: Cesium3DTileset) =>
    evaluateColor.call(grey, tileset && { tileset })!.red.toFixed(3);
  assert.equal(redIn(new Cesium3DTileset(1)), '0.214');
  assert.equal(redIn(new Cesium3DTileset(0)), '0.500');
  assert.equal(redIn(), '0.500');
  assert.deepEqual(evaluateColor.call(new Expression(1), { tileset: new Cesium3DTileset(1) }), {
    red: 1,
    green: 0,
    blue: 1,
  });
});

test('every tileset allows that its colours are replaced, and keeps its own extras', async () => {
  const extrasOf = async (extras?: object) => (await Cesium3DTileset.fromUrl('city', extras)).extras;
  assert.deepEqual(await extrasOf(), { _3DTILESDIFFUSE: true });
  assert.deepEqual(await extrasOf({ source: 'city' }), { source: 'city', _3DTILESDIFFUSE: true });
});
