import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { boxInLonLat, onEarth, type Box } from './box.ts';

const boxOf = (crs: string, own: Box) => onEarth(boxInLonLat(findCrs(crs), own))?.map(Math.round);

test('a box around a pole has all longitudes', () => {
  assert.deepEqual(boxOf('EPSG:3031', [-4e6, -4e6, 4e6, 4e6]), [-180, -90, 180, -41]);
  assert.deepEqual(boxOf('EPSG:3413', [-1e6, -1e6, 1e6, 1e6]), [-180, 77, 180, 90]);
  assert.deepEqual(boxOf('EPSG:3413', [1e6, -1e6, 2e6, 1e6]), [0, 70, 90, 81]);
});

test('a box that exceeds the antimeridian by a part of a pixel ends there, and others have all longitudes', () => {
  const [south, north] = [-20, -10];
  assert.deepEqual(boxOf('EPSG:4326', [-180 + 2e-6, south, 180 + 2e-6, north]), [-180, south, 180, north]);
  assert.deepEqual(boxOf('EPSG:4326', [-180.05, south, -30, north]), [-180, south, -30, north]);
  assert.deepEqual(boxOf('EPSG:4326', [0, south, 360, north]), [-180, south, 180, north]);
});
