import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { startService } from '../testing.ts';
import { sweep } from './sweep.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };

test('only what no row needs is swept, and only after the grace hour', async () => {
  const { admin, context } = await startService();
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({ body: world });
  const params = { projectId, dataBucketId };
  const upload = async (name: string, query = {}) => {
    const form = new FormData();
    form.append('file', new Blob([name]), name);
    await admin.postProjectDataBucketUpload({ params, query, body: form });
    const { blob_id } = await context.db
      .selectFrom('object')
      .select('blob_id')
      .where('key', '=', name)
      .executeTakeFirstOrThrow();
    return blob_id;
  };
  const kept = await upload('kept.txt');
  const deleted = await upload('deleted.txt');
  await admin.deleteProjectDataBucketObject({ params, query: { key: 'deleted.txt' } });
  const replaced = await upload('replaced.txt');
  const current = await upload('replaced.txt', { overwrite: true });
  const orphan = 'orphan0000000000';
  await context.store.put(orphan, Readable.from([Buffer.from('no row')]));

  assert.deepEqual(await sweep(context), { garbage: 0, orphans: 0 });
  const later = { ...context, now: () => new Date(Date.now() + 3_700_000) };
  assert.deepEqual(await sweep(later), { garbage: 2, orphans: 1 });
  assert.deepEqual(await sweep(later), { garbage: 0, orphans: 0 });
  const there = async (id: string) => (await context.store.head(id)) !== undefined;
  assert.deepEqual(await Promise.all([kept, current].map(there)), [true, true]);
  assert.deepEqual(await Promise.all([deleted, replaced, orphan].map(there)), [false, false, false]);
});
