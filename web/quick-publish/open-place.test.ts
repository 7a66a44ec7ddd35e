import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Inspection } from '@platen/contract/inspect';
import { footprintOf, openPlace, turnUpwards } from './open-place.ts';
import { needsCrs, planOf } from './plan.ts';

const noPlace = { code: 'noPlace', message: '', count: 1 };
const inspectionOf = (
  kind: 'mesh' | 'pointCloud',
  format: string,
  details: object,
  uses = ['platenTilesObject'],
) =>
  ({
    key: 'model',
    size: 10,
    kind,
    format,
    layers: [
      { name: 'model', geometryTypes: [], isEstimated: false, isBboxEstimated: false, fields: [], details },
    ],
    issues: [noPlace],
    uses: uses.map((type) => ({ kind: 'job', type, confidence: 0.5, reason: '' })),
  }) as unknown as Inspection;
const extent = { min: [-1, -2, 3], max: [4, 5, 9] };

test('models and scans without a place are asked for one, not for a coordinate system', () => {
  const scan = inspectionOf('pointCloud', 'e57', { localBounds: [-1, -2, 3, 4, 5, 9] });
  assert.deepEqual(openPlace(scan), { ...extent, upAxis: 'z' });
  assert.equal(needsCrs(scan), false);
  assert.deepEqual(openPlace(inspectionOf('mesh', 'glb', { extent })), { ...extent, upAxis: 'y' });
  assert.equal(openPlace({ ...scan, issues: [] }), undefined);
  assert.equal(
    openPlace(inspectionOf('mesh', 'obj', { extent: { min: [0, Number.NaN, 0], max: [1, 1, 1] } })),
    undefined,
  );
});

test('the answer is where each job expects it', () => {
  const file = { dataBucketId: 'b', dataBucketKey: 'model' };
  const placement = { crs: 'EPSG:25832' };
  const optionsOf = (mapJob: string) => {
    const plan = planOf(inspectionOf('mesh', 'obj', { extent }, [mapJob]), {
      file,
      name: 'x',
      placement,
      mapJob,
    });
    assert.ok(typeof plan === 'object' && plan.way === 'task');
    return (plan.body.parameters as { options: Record<string, unknown> }).options;
  };
  assert.deepEqual(optionsOf('platenTilesObject')['modelOptions'], { placement });
  assert.deepEqual(optionsOf('platenTilesMesh')['modelOptions'], { placement });
});

test('a scan whose coordinate system is asked for stands on the globe, one whose origin is placed as high as that says', () => {
  const scan = inspectionOf('pointCloud', 'las', { localBounds: [-1, -2, 3, 4, 5, 9] }, [
    'platenTilesPointcloud',
  ]);
  const optionsOf = (answer: object) => {
    const file = { dataBucketId: 'b', dataBucketKey: 'scan.las' };
    const plan = planOf(scan, { file, name: 'x', mapJob: 'platenTilesPointcloud', ...answer });
    assert.ok(typeof plan === 'object' && plan.way === 'task');
    return (plan.body.parameters as { options: Record<string, unknown> }).options;
  };
  assert.deepEqual(optionsOf({ crs: 'EPSG:26912' })['heights'], { mode: 'flat' });
  const placement = { longitude: 11, latitude: 49, height: 100, heading: 0, scale: 1 };
  assert.equal(optionsOf({ placement })['heights'], undefined);
});

test('a box is turned as readers turn its model', () => {
  const box = { min: [-1, -2, 3], max: [4, 5, 9] } as const;
  assert.deepEqual(turnUpwards({ ...box, upAxis: 'z' }, 'z'), box);
  assert.deepEqual(turnUpwards({ ...box, upAxis: 'z' }, 'y'), { min: [-1, -9, -2], max: [4, -3, 5] });
  const there = turnUpwards({ ...box, upAxis: 'z' }, 'y');
  assert.deepEqual(turnUpwards({ ...there, upAxis: 'y' }, 'z'), box, 'and back');
});

test('a footprint is turned clockwise around the origin', () => {
  const box = { min: [0, 0, 0], max: [0, 111.32, 1] } as const;
  const tipOf = (heading: number) =>
    footprintOf(box, { longitude: 10, latitude: 60, heading, scale: 1 })[2]!.map((one) =>
      Number(one.toFixed(6)),
    );
  assert.deepEqual(tipOf(0), [10, 60.001]);
  assert.deepEqual(tipOf(90), [10.002, 60]);
});
