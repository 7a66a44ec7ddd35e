import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeAlongLines } from './line-labels.ts';

/** What is written on a line by a style with a label, as the engine has it for points. */
function writtenBy(properties: object, className: string, label: string | undefined): unknown {
  const text = {
    label,
    placement: 'point',
    align: 'left',
    offset: -15,
    setPlacement: (to: string) => void (text.placement = to),
    setTextAlign: (to: string) => void (text.align = to),
    setOffsetY: (to: number) => void (text.offset = to),
  };
  let written: typeof text | undefined;
  const prototype = {
    _stylePoint: () => ({ getText: () => (label === undefined ? null : text) }),
    _styleLineString: () => ({ setText: (on: typeof text) => void (written = on) }),
  };
  const app = { maps: { activeMap: { className } } };
  writeAlongLines(
    { DeclarativeStyleItem: { prototype } } as unknown as Parameters<typeof writeAlongLines>[0],
    app as Parameters<typeof writeAlongLines>[1],
  );
  prototype._styleLineString.call({ properties } as never);
  return written && [written.label, written.placement, written.align, written.offset];
}

test('labels are written along lines of flat maps, if the style says so', () => {
  const properties = { hasLineLabels: true };
  assert.deepEqual(writtenBy(properties, 'OpenlayersMap', '500 m'), ['500 m', 'line', 'center', 0]);
  assert.equal(writtenBy(properties, 'OpenlayersMap', undefined), undefined);
  assert.equal(writtenBy(properties, 'CesiumMap', '500 m'), undefined);
  assert.equal(writtenBy({}, 'OpenlayersMap', '500 m'), undefined);
});
