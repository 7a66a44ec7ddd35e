import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MapStyle, StyledShape } from '@platen/contract/map-styles';
import { declarativeStyle } from './declarative-style.ts';
import { evaluate, evaluateColour } from './testing-cesium.ts';

const style: MapStyle = {
  colour: { type: 'single', colour: '#0e6b78' },
  label: { attribute: 'name' },
  hasPlacedLabels: true,
};
const drawn = (shape: StyledShape, changes: Partial<MapStyle> = {}) =>
  declarativeStyle({ ...style, ...changes }, shape);

test('in tiles with placed labels, only features whose label fits have one', () => {
  const { labelText } = drawn('point');
  assert.equal(evaluate(labelText!, { name: 'Ulm', label_zoom: 4 }), 'Ulm');
  assert.equal(evaluate(labelText!, { name: 'Ulm' }), '');
  assert.equal(evaluate(labelText!, { label_zoom: 4 }), '');
});

test('points that only say where a label is are not drawn themselves, whatever is drawn', () => {
  const label = { name: 'Ulm', label_zoom: 4, label_only: true };
  for (const shape of ['line', 'area'] as const) {
    assert.equal(evaluate(drawn(shape).image!, label), '', 'no picture instead of a circle');
    assert.equal('image' in declarativeStyle({ ...style, hasPlacedLabels: false }, shape), false);
  }
  const { color, pointOutlineColor } = drawn('mixed');
  assert.deepEqual(
    [color, pointOutlineColor].map((one) => evaluateColour(one!, label)),
    ['#ffffff 0 %', '#ffffff 0 %'],
  );
  assert.equal(evaluateColour(color!, { name: 'Ulm', label_zoom: 4 }), '#0e6b78 75 %');
  const icon = { path: 'M0 0H9V9Z' };
  const { image } = drawn('mixed', { icon });
  assert.equal(evaluate(image!, label), '');
  assert.match(String(evaluate(image!, { name: 'Ulm' })), /^data:image\/svg/);
});
