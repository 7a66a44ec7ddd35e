import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementValue } from './object-attributes.ts';

test('years are numbers, whatever their zeros and time zones', () => {
  const years = ['1987', '0001', '-0044', '12005', '1987Z', '1987+01:00', '0800-05:00'];
  assert.deepEqual(
    years.map((text) => elementValue('yearOfConstruction', text)),
    [1987, 1, -44, 12_005, 1987, 1987, 800],
  );
  for (const text of ['1987-01', 'about 1987', '01', '1987+1'])
    assert.equal(elementValue('yearOfDemolition', text), text);
  assert.equal(elementValue('function', '0001'), '0001');
});
