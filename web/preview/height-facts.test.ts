import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InspectedLayer } from '@platen/contract/inspect';
import { heightFacts } from './height-facts.ts';

const facts = (more: Partial<InspectedLayer>) =>
  heightFacts({
    name: 'a',
    geometryTypes: [],
    isEstimated: false,
    isBboxEstimated: false,
    fields: [],
    ...more,
  });
const diagnosis = { vertical: 'EPSG:7837', undulation: 46.6, asks: false };

test('what a file says of its heights counts, then what is usual, which is marked', () => {
  assert.deepEqual(facts({ verticalDatum: 'DHHN2016 height', details: { heights: diagnosis } }), {
    vertical: 'DHHN2016 height',
    isAssumed: false,
    undulation: 46.6,
  });
  assert.deepEqual(facts({ details: { heights: diagnosis } }), {
    vertical: 'EPSG:7837',
    isAssumed: true,
    undulation: 46.6,
  });
  assert.deepEqual(facts({ details: { heights: { undulation: 46.6, asks: true } } }), {
    vertical: undefined,
    isAssumed: false,
    undulation: 46.6,
  });
});

test('for ellipsoidal heights, sea level says nothing; a layer without heights has no facts', () => {
  assert.deepEqual(facts({ details: { heights: { ...diagnosis, vertical: 'ellipsoid' } } }), {
    vertical: 'ellipsoid',
    isAssumed: true,
    undulation: undefined,
  });
  assert.deepEqual(facts({ verticalDatum: 'NAP height' })!.vertical, 'NAP height');
  assert.equal(facts({ details: { heights: [1, 2] } }), undefined);
});
