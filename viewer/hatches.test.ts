import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawHatches, type HatchCore } from './hatches.ts';

interface MadeFill {
  readonly color: unknown;
  readonly pattern?: object;
  getColor(): unknown;
}
const fillWith = (color: unknown, pattern?: object): MadeFill => ({
  color,
  getColor: () => color,
  ...(pattern && { pattern }),
});

/** What of the engine is used: areas are red, and vector styles have the fill of their options. */
function engine() {
  let made = 0;
  class VectorStyleItem {
    readonly style: { getFill(): MadeFill; setFill(): void };
    constructor({ fill: { color, pattern } }: { fill: { color: unknown; pattern: object } }) {
      made++;
      const fill = fillWith(color, pattern);
      this.style = { getFill: () => fill, setFill() {} };
    }
  }
  const prototype = {
    _stylePolygon() {
      let fill = fillWith('red');
      return { getFill: () => fill, setFill: (other: MadeFill) => void (fill = other) };
    },
  };
  drawHatches({ DeclarativeStyleItem: { prototype }, VectorStyleItem } as unknown as HatchCore);
  const draw = prototype._stylePolygon as unknown as (
    this: object,
    feature: object,
  ) => { getFill(): MadeFill };
  return {
    count: () => made,
    fillOf: (item: object, use: string) => draw.call(item, { get: () => use }).getFill(),
  };
}

test('areas have the pattern of the first hatch that is for them, over their colour, made once', () => {
  const { fillOf, count } = engine();
  const [cross, slash] = [{ type: 6 }, { type: 1 }];
  const hatches = [{ attribute: 'use', values: ['a'], pattern: cross }, { pattern: slash }];
  const item = { properties: { hatches } };
  const drawn = ['a', 'b', 'a'].map((use) => fillOf(item, use));
  assert.deepEqual(
    drawn.map(({ color, pattern }) => [color, pattern]),
    [
      ['red', cross],
      ['red', slash],
      ['red', cross],
    ],
  );
  assert.equal(count(), 2);
  assert.equal(fillOf({}, 'a').pattern, undefined, 'a style without hatches');
});
