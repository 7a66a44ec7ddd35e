import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeLabels } from './label-placement.ts';

interface Case {
  readonly placement?: string;
  readonly className?: string;
  readonly image?: { readonly size: readonly number[] | null; readonly scale: number };
}

/** Alignment, baseline and offsets that a label gets. */
function placed({ placement, className = 'OpenlayersMap', image }: Case): unknown[] {
  const set: Record<string, unknown> = {};
  const setter = (name: string) => (value: unknown) => void (set[name] = value);
  const text = {
    setTextAlign: setter('align'),
    setTextBaseline: setter('baseline'),
    setOffsetX: setter('x'),
    setOffsetY: setter('y'),
  };
  const prototype = {
    _stylePoint: (_feature: object) => ({
      getText: () => text,
      getImage: () => image && { getSize: () => image.size, getScaleArray: () => [image.scale] },
    }),
  };
  placeLabels({ DeclarativeStyleItem: { prototype } } as never, { maps: { activeMap: { className } } });
  const style = { label: { placement } };
  prototype._stylePoint.call({ properties: { mapStyle: { style } } } as never, {});
  return ['align', 'baseline', 'x', 'y'].flatMap((name) => (name in set ? [set[name]] : []));
}

const circle = { size: [20, 20], scale: 1 };

test('labels of flat maps are beside symbols, which have their point in the middle', () => {
  const at = (placement: string) => placed({ placement, image: circle });
  assert.deepEqual(at('above'), ['center', 'bottom', 0, -13]);
  assert.deepEqual(at('below'), ['center', 'top', 0, 13]);
  assert.deepEqual(at('left'), ['right', 'middle', -13, 0]);
  assert.deepEqual(at('right'), ['left', 'middle', 13, 0]);
  assert.deepEqual(at('centre'), ['center', 'middle', 0, 0]);
});

test('symbols of globes stand on their point', () => {
  const at = (placement: string) => placed({ placement, image: circle, className: 'CesiumMap' });
  assert.deepEqual(at('above'), ['center', 'bottom', 0, -23]);
  assert.deepEqual(at('below'), ['center', 'top', 0, 3]);
  assert.deepEqual(at('right'), ['left', 'middle', 13, -10]);
});

test('markers count in their size, loaded or not, and styles without a placement stay as they are', () => {
  const marker = { size: null, scale: 0.5 };
  assert.deepEqual(placed({ placement: 'below', image: marker }), ['center', 'top', 0, 19]);
  assert.deepEqual(placed({ image: circle }), []);
});
