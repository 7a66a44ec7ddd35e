import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../testing.ts';
import { internal, places, world } from '../testing.ts';

test('checks of many projects leave connections of the database to other requests', async (t) => {
  const { admin, context } = await startService();
  const samples = await Promise.all(
    Array.from({ length: 7 }, async () => {
      const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({ body: world });
      const form = new FormData();
      form.append('a.geojson', new Blob([places]), 'a.geojson');
      await admin.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
      return { projectId, dataBucketId };
    }),
  );
  const gate = Promise.withResolvers<void>();
  const read = context.store.read.bind(context.store);
  t.mock.method(context.store, 'read', async (...range: Parameters<typeof read>) => {
    await gate.promise;
    return read(...range);
  });
  const register = (place: (typeof samples)[number], key?: string) =>
    admin.postProjectDatasource({
      params: place,
      body: internal(place, 'geojson', 'a.geojson'),
      ...(key !== undefined && { headers: { 'idempotency-key': key } }), // in a transaction
    });
  const statuses = samples.map((place, i) =>
    register(place, `key-${i}`).then(
      () => 201,
      ({ status }: { status: number }) => status,
    ),
  );
  assert.equal(await Promise.race(statuses), 503);
  await admin.getProjects();
  gate.resolve();
  const all = await Promise.all(statuses);
  assert.deepEqual(
    all.toSorted((one, other) => one - other),
    [...Array<number>(6).fill(201), 503],
  );
  await register(samples[0]!);
});
