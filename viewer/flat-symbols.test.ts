import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepSymbols } from './flat-symbols.ts';

function modeOf(properties: object | undefined): string | undefined {
  const image = { getDeclutterMode: (): string | undefined => undefined };
  const prototype = { _stylePoint: () => ({ getImage: () => image }) };
  keepSymbols({ DeclarativeStyleItem: { prototype } });
  prototype._stylePoint.call({ properties } as never);
  return image.getDeclutterMode();
}

test('flat maps leave out no points, except those that say nothing without their labels', () => {
  assert.equal(modeOf(undefined), 'none');
  assert.equal(modeOf({ mapStyle: {} }), 'none');
  assert.equal(modeOf({ hasDispensableSymbols: true }), undefined);
});
