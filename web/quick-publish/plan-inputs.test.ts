import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Inspection } from '@platen/contract/inspect';
import { planOf } from './plan.ts';

test('files beside an image are inputs of its task, and how it is shown is an option', () => {
  const [image, world] = ['aerial.jpg', 'aerial.jgw'].map((dataBucketKey) => ({
    type: 'internal',
    dataBucketId: 'b',
    dataBucketKey,
  }));
  const suggestion = { jobType: 'platenTilesImagery', options: { input: [image, world] } };
  const found: Inspection = {
    key: 'aerial.jpg',
    size: 1000,
    companions: ['aerial.jgw'],
    layers: [],
    issues: [],
    format: 'jpeg',
    kind: 'raster',
    uses: [{ kind: 'job', type: 'platenTilesImagery', confidence: 1, reason: '' }],
    suggestion: suggestion as unknown as NonNullable<Inspection['suggestion']>,
  };
  const request = { name: 'Aerial', crs: 'EPSG:25832', mapJob: 'platenTilesImagery' };
  const plan = planOf(found, { ...request, file: { dataBucketId: 'b', dataBucketKey: 'aerial.jpg' } });
  assert.ok(typeof plan === 'object' && plan.way === 'task');
  const { options } = plan.body.parameters as { options: Record<string, unknown> };
  assert.deepEqual(options['input'], [{ ...image, crs: 'EPSG:25832' }, world]);
  // nothing is suggested while the coordinate system is open
  const { suggestion: _suggestion, ...open } = found;
  const asked = planOf(
    { ...open, uses: [] },
    { ...request, file: { dataBucketId: 'b', dataBucketKey: 'aerial.jpg' } },
  );
  assert.deepEqual(asked, plan);
  const chosen = { colour: { ramp: 'Viridis' }, mask: { collar: 'auto' } };
  const coloured = planOf(found, {
    ...request,
    colours: chosen,
    file: { dataBucketId: 'b', dataBucketKey: 'aerial.jpg' },
  });
  assert.ok(typeof coloured === 'object' && coloured.way === 'task');
  assert.deepEqual(coloured.body.parameters, {
    ...plan.body.parameters,
    options: { ...options, ...chosen },
  });
});
