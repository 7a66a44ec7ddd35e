import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownBy, validateModule } from './validate.ts';
import { known, errorsOf, warningsOf, layer } from './testing-findings.ts';

test('viewpoints off the Earth, which the map viewer drops, are refused', () => {
  const errors = errorsOf({
    viewpoints: [
      { name: 'a', groundPosition: [52.5, 113.4], distance: 5 },
      { name: 'b', groundPosition: [392_000, 5_820_000], distance: 5 },
      { name: 'c', cameraPosition: [13, 52] },
      { name: 'd', cameraPosition: [13, 52, 100, 7] },
      { name: 'e', groundPosition: [13, 52, 1, 1] },
      { name: 'f', extent: { coordinates: [1, 2, 3, 4] } },
      { name: 'g', groundPosition: ['13', 52] },
      { name: 'fine', cameraPosition: [-180, 90, 1e9], heading: null, groundPosition: null },
    ],
  });
  assert.deepEqual(errors, [
    '/viewpoints/0/groundPosition type',
    '/viewpoints/1/groundPosition type',
    '/viewpoints/2/cameraPosition type',
    '/viewpoints/3/cameraPosition type',
    '/viewpoints/4/groundPosition type',
    '/viewpoints/5 incomplete',
    '/viewpoints/6/groundPosition type',
  ]);
  const swapped = validateModule({ viewpoints: [{ name: 'a', groundPosition: [52.5, 113.4] }] }, known);
  assert.match(swapped.errors[0]!.detail, /longitude and latitude swapped/);
});

test('only the first 500 viewpoints are compared with the layers', () => {
  const berlin = { coordinates: [13.1, 52.3, 13.7, 52.7], projection: { epsg: 4326 } };
  const viewpoints = Array.from({ length: 600 }, (_, i) => ({
    name: `v${i}`,
    groundPosition: i < 490 ? [13.4, 52.5] : [52.5, 13.4],
    distance: 500,
  }));
  assert.equal(warningsOf({ layers: [layer({ extent: berlin })], viewpoints }).length, 10);
});

test('swapped coordinates of a viewpoint are detected by the extents of the layers', () => {
  const berlin = { coordinates: [13.1, 52.3, 13.7, 52.7], projection: { epsg: 4326 } };
  const content = (groundPosition: number[], extent: object = berlin) => ({
    layers: [layer({ extent })],
    viewpoints: [{ name: 'v', groundPosition, distance: 500 }],
  });
  assert.deepEqual(warningsOf(content([52.5, 13.4])), ['/viewpoints/0/groundPosition swapped']);
  assert.deepEqual(warningsOf(content([13.4, 52.5])), []);
  assert.deepEqual(warningsOf(content([2.3, 48.9])), []);
  const world = { coordinates: [-180, -90, 180, 90] };
  assert.deepEqual(warningsOf(content([52.5, 13.4], world)), []);
  const utm = { coordinates: [13, 52, 14, 53], projection: { epsg: 32633 } };
  assert.deepEqual(warningsOf(content([52.5, 13.4], utm)), []);
});

test('projections need a definition unless the engine knows them, or the module defines them', () => {
  const proj4 = '+proj=utm +zone=33 +ellps=GRS80 +units=m +no_defs';
  const of = (projection: unknown) => ({ layers: [layer({ projection })] });
  assert.deepEqual(warningsOf(of({ epsg: 25833 })), ['/layers/0/projection/epsg unknownProjection']);
  assert.deepEqual(warningsOf(of({ epsg: 'epsg:25833', proj4 })), []);
  assert.deepEqual(warningsOf(of({ epsg: 'EPSG:32633' })), []);
  assert.deepEqual(warningsOf({ ...of({ epsg: 25833 }), projection: { epsg: 25833, proj4 } }), []);
  assert.deepEqual(warningsOf({ projection: { epsg: 25833 } }), ['/projection/epsg unknownProjection']);
  // The projection of the module is read first, so that a definition in a layer comes too late.
  assert.deepEqual(warningsOf({ ...of({ epsg: 25833, proj4 }), projection: { epsg: 25833 } }), [
    '/projection/epsg unknownProjection',
  ]);
  assert.deepEqual(errorsOf(of('EPSG:25833')), ['/layers/0/projection type']);
  assert.deepEqual(errorsOf(of({ epsg: 25833, proj4: 'utm 33' })), ['/layers/0/projection/proj4 type']);
  assert.deepEqual(errorsOf(of({ epsg: {} })), ['/layers/0/projection/epsg required']);
  const old = validateModule(of({ epsg: 32633 }), knownBy('5.0.2'));
  assert.deepEqual(
    old.warnings.map(({ code }) => code),
    ['unknownType', 'unknownProjection'].slice(1),
  );
});
