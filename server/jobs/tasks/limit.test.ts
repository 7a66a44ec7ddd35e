import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../testing.ts';
import { projectWithCities, tilingTask } from './testing.ts';

test('the number of tasks of a project is limited, and deleting one makes room for another', async () => {
  const service = await startService({ settings: { maxTasks: 2 } });
  const { admin } = service;
  const [first, second] = [await projectWithCities(service), await projectWithCities(service)];
  const schedule = { type: 'scheduled', scheduled: '2099-01-01T00:00:00Z' } as const;
  const add = ({ projectId, bucketId }: typeof first) =>
    admin.postProjectTask({ params: { projectId }, body: { ...tilingTask(bucketId), schedule } });
  const { _id: taskId } = await add(first);
  await add(first);
  await assert.rejects(add(first), { status: 409, message: /2 tasks, which is the limit\. Delete tasks/ });
  await add(second);
  await admin.deleteProjectTask({ params: { projectId: first.projectId, taskId } });
  await add(first);
});
