import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uploadShare } from '../../http/loop-share.ts';
import { startService } from '../../testing.ts';
import { metadata, newBucket, tusClient, tusPath } from './testing.ts';

const bytes = Buffer.alloc(300_000, 'platen');

test('all bytes of forms and of resumable uploads are processed within the share of the event loop', async (t) => {
  const service = await startService();
  const params = await newBucket(service);
  const take = t.mock.method(uploadShare, 'take');
  const takenBy = async (upload: () => Promise<unknown>) => {
    take.mock.resetCalls();
    await upload();
    return take.mock.calls.reduce((sum, call) => sum + call.arguments[0], 0);
  };
  const form = new FormData();
  form.append('file', new Blob([bytes]), 'form.bin');
  const byForm = () => service.admin.postProjectDataBucketUpload({ params, body: form });
  assert.equal(await takenBy(byForm), bytes.length);
  const byTus = () =>
    tusClient(service)('POST', tusPath(params), {
      headers: {
        'upload-length': String(bytes.length),
        'upload-metadata': metadata({ filename: 'tus.bin' }),
        'content-type': 'application/offset+octet-stream',
      },
      body: bytes,
    });
  assert.equal(await takenBy(byTus), bytes.length);
});
