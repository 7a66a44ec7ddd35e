import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WrittenTiff } from '@platen/formats/geotiff/testing';
import { writeTiff } from '@platen/formats/geotiff/testing';
import type { HeightDiagnosis } from '../../heights/diagnose-heights.ts';
import { inspectFile } from '../testing-subject.ts';

const place = { scale: [25, 25], tie: [0, 0, 0, 600_000, 5_400_000, 0] } as const;
const keys = [
  [1024, 0, 1, 1],
  [3072, 0, 1, 25832],
] as const;

async function inspectHeightsOf(name: string, written: Partial<WrittenTiff>, sample: (x: number) => number) {
  const image = { width: 40, height: 40, bits: 32, sampleFormat: 3, sample } as const;
  const report = await inspectFile(name, writeTiff({ ...place, keys, images: [image], ...written }));
  const heights = report.layers[0]!.details!['heights'] as HeightDiagnosis;
  return { heights, reason: report.uses[0]!.reason };
}

test('the report of heights says what they count from, how it is known, and what the map would show', async () => {
  const stated = await inspectHeightsOf('dgm.tif', { keys: [...keys, [4096, 0, 1, 7837]] }, (x) => 300 + x);
  assert.equal(stated.heights.vertical, 'EPSG:7837');
  assert.ok(stated.heights.undulation > 47 && stated.heights.undulation < 49, `${stated.heights.undulation}`);
  assert.match(
    stated.reason,
    /zero of DHHN2016 height\. Shown as they are, the map would show them 4[78]\.\d m too low/,
  );
  const usual = await inspectHeightsOf('dgm.tif', {}, (x) => 300 + x);
  assert.deepEqual(usual.heights.options, { vertical: 'EPSG:7837' });
  assert.equal(usual.heights.asks, false);
  const product = await inspectHeightsOf('TDM1_DEM__30_N48E010_DEM.tif', {}, (x) => 300 + x);
  // the name of the product and the usual heights of the CRS contradict each other
  assert.equal(product.heights.vertical, 'ellipsoid');
  const italian = { tie: [0, 0, 0, 600_000, 4_900_000, 0] };
  const unsure = await inspectHeightsOf('dem.tif', italian, (x) => 300 + x);
  assert.deepEqual([unsure.heights.vertical, unsure.heights.asks], [undefined, true]);
  assert.match(unsure.reason, /not certain and must be determined first/);
  const coast = await inspectHeightsOf('dem.tif', italian, (x) => (x < 20 ? -0.3 : x));
  assert.deepEqual([coast.heights.vertical, coast.heights.asks], ['EPSG:5773', false]);
});
