import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../testing.ts';
import { enrolledRunner, holdNext, putOutput, tilesResult } from '../queue/testing.ts';
import { projectWithCities, tilingTask } from '../tasks/testing.ts';

const service = await startService();
const { admin } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };
const runner = await enrolledRunner(service, 'runner');

/** Runs a job with this command, and returns the datasource that it made. */
async function run(datasource: Record<string, string>): Promise<string> {
  const { parameters } = tilingTask(bucketId);
  const { lastJobId } = await admin.postProjectTask({
    params,
    body: tilingTask(bucketId, { parameters: { ...parameters, datasource } }),
  });
  const held = (await holdNext(service, runner))!;
  await putOutput(held, 'a.pmtiles', JSON.stringify(datasource));
  await held.client.postRunnerJobComplete({ params: held.params, body: tilesResult });
  const { state, errorMessage, outputs } = await admin.getProjectJob({
    params: { projectId, jobId: lastJobId! },
  });
  assert.equal(state, 'succeeded', String(errorMessage));
  return outputs.datasourceId!;
}

test('a job updates or overwrites the only datasource of a name, and its task counts as its user', async () => {
  const made = await run({ command: 'create', name: 'Roads' });
  assert.equal(await run({ command: 'update', name: 'Roads' }), made);
  assert.equal(await run({ command: 'overwrite', name: 'Roads' }), made);
  const { items } = await admin.getProjectDatasourceUsedBy({ params: { projectId, datasourceId: made } });
  assert.equal(items.filter(({ type }) => type === 'task').length, 2);
});

test('a name that no datasource has, or several have, is refused where the task is saved', async () => {
  await run({ command: 'create', name: 'Twice' });
  await run({ command: 'create', name: 'Twice' });
  for (const [name, message] of [
    ['Nobody', /no datasource of type vectortiles named “Nobody”/],
    ['Twice', /several datasources of type vectortiles named “Twice”/],
  ] as const)
    await assert.rejects(run({ command: 'update', name }), (error: { status: number; message: string }) => {
      assert.equal(error.status, 422);
      assert.match(error.message, message);
      return true;
    });
});
