import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import { sql } from 'kysely';
import { ingest } from '../../files/objects/ingest.ts';
import { startRunner } from '../testing-runner.ts';
import { projectWithCities } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin, adminId, app, context } = service;
await app.listen({ host: '127.0.0.1', port: 0 });
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId, dataBucketId: bucketId };

const put = (key: string, content: string | Uint8Array) =>
  ingest(context, {
    projectId,
    bucketId,
    key,
    by: adminId,
    overwrite: true,
    body: Readable.from([Buffer.from(content)]),
  });
async function inspect(key: string): Promise<void> {
  while ('jobId' in (await admin.postProjectDataBucketInspect({ params, query: { key } })));
}
const sample = (key: string, layer?: string) =>
  admin.getProjectDataBucketObjectSample({ params, query: { key, ...(layer !== undefined && { layer }) } });
const refusedAs = (code: string) => (error: RequestFailed) => {
  assert.equal(error.status, 404);
  assert.equal(error.errors[0]?.code, code);
  return true;
};

test('with a runner', async (t) => {
  const runners = await startRunner(service);
  t.after(() => runners.stop());

  await t.test('features have longitude, latitude and properties, or no geometry', async () => {
    const crs = { type: 'name', properties: { name: 'EPSG:25832' } };
    const features = [
      {
        type: 'Feature',
        properties: { name: 'x'.repeat(2000), n: 1 },
        geometry: { type: 'Point', coordinates: [500_000, 5_800_000] },
      },
      { type: 'Feature', properties: { name: 'none' }, geometry: null },
    ];
    await put('utm.geojson', JSON.stringify({ type: 'FeatureCollection', crs, features }));
    await assert.rejects(sample('utm.geojson'), refusedAs('notInspected'));
    await inspect('utm.geojson');
    const { type, layer, layers, isWhole, features: found } = await sample('utm.geojson');
    assert.deepEqual([type, layers, isWhole, found.length], ['FeatureCollection', [layer], true, 2]);
    const [placed, unplaced] = found as {
      properties: { name: string; n: number };
      geometry: { coordinates: number[] } | null;
    }[];
    assert.equal(placed!.geometry!.coordinates[0], 9);
    assert.equal(Math.floor(placed!.geometry!.coordinates[1]!), 52);
    assert.deepEqual([placed!.properties.name.length, placed!.properties.n], [500, 1]);
    assert.deepEqual(unplaced, { type: 'Feature', properties: { name: 'none' }, geometry: null });
    await assert.rejects(sample('utm.geojson', 'other'), refusedAs('noLayer'));
    await assert.rejects(sample('gone.geojson'), { status: 404 });
  });

  await t.test('a sample is limited to a thousand features and two MiB', async () => {
    const ring = (n: number) =>
      Array.from({ length: 2001 }, (_, i) => {
        const angle = ((i % 2000) / 2000) * 2 * Math.PI;
        return [8 + n / 1000 + Math.cos(angle) / 10, 50 + Math.sin(angle) / 10];
      });
    const line = (n: number) =>
      JSON.stringify({
        type: 'Feature',
        properties: { n },
        geometry: { type: 'Polygon', coordinates: [ring(n)] },
      });
    await put('many.geojsonl', Array.from({ length: 300 }, (_, n) => line(n)).join('\n'));
    await inspect('many.geojsonl');
    const many = await sample('many.geojsonl');
    assert.equal(many.isWhole, false);
    assert.ok(many.features.length > 50 && many.features.length <= 300, String(many.features.length));
    assert.ok(JSON.stringify(many).length <= 2 << 20);
    const [first] = many.features as { geometry: { coordinates: number[][][] } }[];
    const [outer] = first!.geometry.coordinates;
    assert.deepEqual(outer!.at(-1), outer![0]);
    assert.ok(outer!.length <= 402 && outer!.length > 300);
    const points = Array.from({ length: 5000 }, (_, n) => `${n},${8 + n / 1000},50`);
    await put('points.csv', ['n,lon,lat', ...points].join('\n'));
    await inspect('points.csv');
    const { features, isWhole } = await sample('points.csv');
    assert.equal(isWhole, false);
    assert.ok(features.length > 500 && features.length <= 1000);
    const numbers = (features as { properties: { n: number } }[]).map(({ properties }) =>
      Number(properties.n),
    );
    assert.ok(Math.max(...numbers) > 4900 && Math.min(...numbers) < 100);
  });

  await t.test(
    'files without features have their own error, and samples are removed with their inspection',
    async () => {
      await put('notes.txt', 'Nothing of this is a map.');
      await inspect('notes.txt');
      await assert.rejects(sample('notes.txt'), refusedAs('noSample'));
      await sql`delete from inspection where project_id = ${projectId}`.execute(context.db);
      await assert.rejects(sample('utm.geojson'), refusedAs('notInspected'));
      const { rows } = await sql`select from inspection_sample`.execute(context.db);
      assert.equal(rows.length, 0);
    },
  );
});
