import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import type { NewTask } from '@platen/contract/tasks';
import { sharedService } from './testing-shared.ts';

const jobTimeoutMs = 120_000;

export interface Bucket {
  readonly projectId: string;
  readonly dataBucketId: string;
}

export interface MadeDatasource {
  readonly projectId: string;
  readonly datasourceId: string;
  readonly datasource: Datasource;
}

export async function newProject(name: string): Promise<Bucket> {
  const { client } = await sharedService();
  const body = { name, description: '', bbox: [5, 45, 15, 55] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({ body });
  return { projectId, dataBucketId };
}

/** Uploads files by their keys. */
export async function upload(
  bucket: Bucket,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const { client } = await sharedService();
  const body = new FormData();
  for (const [key, content] of Object.entries(files))
    body.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), key);
  await client.postProjectDataBucketUpload({ params: bucket, body });
}

/** Runs the task that the inspection of a file suggests, which must be of this type. */
export async function runSuggestedTask(
  bucket: Bucket,
  key: string,
  jobType: string,
): Promise<MadeDatasource> {
  const { client } = await sharedService();
  const found = await client.postProjectDataBucketInspect({ params: bucket, query: { key } });
  const suggestion = 'uses' in found ? found.suggestion : undefined;
  assert.equal(suggestion?.jobType, jobType);
  return runTask(bucket.projectId, jobType, suggestion!.options);
}

/** Runs a task that makes a datasource, or makes one anew. @throws if the job fails */
export async function runTask(
  projectId: string,
  jobType: string,
  options: FreeForm,
  target: FreeForm = { command: 'create', name: 'Made' },
): Promise<MadeDatasource> {
  const { client } = await sharedService();
  const params = { projectId };
  const parameters = { datasource: target, options };
  const task = { name: 'made', jobType, parameters } as NewTask;
  const { _id: taskId } = await client.postProjectTask({ params, body: task });
  for (const end = Date.now() + jobTimeoutMs; Date.now() < end; await sleep(100)) {
    const { items } = await client.getProjectJobs({ params, query: { taskId: [taskId] } });
    const [job] = items;
    assert.notEqual(job?.state, 'failed', job?.errorMessage ?? '');
    const datasourceId = job?.state === 'succeeded' ? job.outputs.datasourceId : undefined;
    if (datasourceId === undefined) continue;
    const datasource = await client.getProjectDatasource({ params: { projectId, datasourceId } });
    return { projectId, datasourceId, datasource };
  }
  throw new Error(`The job took more than ${jobTimeoutMs} ms.`);
}
