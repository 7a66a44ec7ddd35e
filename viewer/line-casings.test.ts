import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawCasings } from './line-casings.ts';

interface Stroke {
  width: number;
  colour: readonly number[];
}

function styleOf(stroke: Stroke): {
  readonly stroke: Stroke;
  getStroke(): {
    getWidth(): number;
    setWidth(width: number): void;
    setColor(colour: readonly number[]): void;
  };
  clone(): ReturnType<typeof styleOf>;
} {
  return {
    stroke,
    getStroke: () => ({
      getWidth: () => stroke.width,
      setWidth: (width) => (stroke.width = width),
      setColor: (colour) => (stroke.colour = colour),
    }),
    clone: () => styleOf({ ...stroke }),
  };
}

/** As the engine's, which draws every line red and 3 pixels wide. */
function drawnBy(properties: object, width: number) {
  const outline = { toBytes: () => [10, 20, 30, 255] as const };
  const item = {
    properties,
    cesiumStyle: {
      pointOutlineColor: { evaluate: () => outline, evaluateColor: () => outline },
      pointOutlineWidth: { evaluate: () => width, evaluateColor: () => undefined },
    },
  };
  const prototype = { _styleLineString: () => styleOf({ width: 3, colour: [255, 0, 0] }) };
  drawCasings({ DeclarativeStyleItem: { prototype } } as unknown as Parameters<typeof drawCasings>[0]);
  const styles = [prototype._styleLineString.call(item as never)].flat();
  return styles.map((style) => style.stroke);
}

test('lines of styles by attributes lie on a wider one in the colour of their outline', () => {
  const line = { width: 3, colour: [255, 0, 0] };
  assert.deepEqual(drawnBy({ mapStyle: {} }, 1), [{ width: 5, colour: [10, 20, 30, 1] }, line]);
  assert.deepEqual(drawnBy({ mapStyle: {} }, 0), [line]);
  assert.deepEqual(drawnBy({}, 1), [line], 'other styles have outlines for their points only');
});
