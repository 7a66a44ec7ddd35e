import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import { afterFile } from '../checks/clean-up.ts';
import { end, freePort, runService } from './processes.ts';

const maxWaitMs = 240_000;

interface Mark {
  readonly runner: { readonly pid: number };
  readonly attempt?: { readonly jobId: string };
}

interface Attempt {
  readonly folder: string;
  /** Its process. */
  readonly runner: number;
}

/** The phase is in progress, and at least this share of it is done. */
export const isIn =
  (phase: string, share = 0) =>
  ({ progress, endTime, errorMessage }: Job): boolean => {
    assert.equal(endTime, undefined, errorMessage ?? 'it has ended too soon');
    return progress?.phase === phase && progress.done > share * progress.total;
  };

/** In the log, when an attempt has the files of a dead one. */
export const resumes = /Attempt 2 runs on .*\. It resumes attempt 1\./;

/** A service with two runners and a project, to kill while jobs run. */
export async function openResumeTests() {
  const root = await mkdtemp(join(tmpdir(), 'platen-resume-job-'));
  afterFile(() => rm(root, { recursive: true, force: true }));
  const dataFolder = join(root, 'data');
  const scratch = join(dataFolder, 'scratch');
  const port = await freePort();
  const env = { PLATEN_RUNNERS: '2', PLATEN_INSPECT_UPLOADS: 'off', PLATEN_LOG_LEVEL: 'error' };
  const start = () => runService({ dataFolder, port, env });
  let service = await start();
  afterFile(() => service.stop());
  const { client } = service;
  const project = await client.postProject({
    body: { name: 'P', description: '', bbox: [-180, -85, 180, 85] },
  });
  const projectId = project._id;
  const place = { projectId, dataBucketId: project.defaultDataBucketId };

  const jobOf = (jobId: string) => service.client.getProjectJob({ params: { projectId, jobId } });

  async function until(jobId: string, isSo: (job: Job) => boolean): Promise<Job> {
    for (const begin = performance.now(); ;) {
      const job = await jobOf(jobId);
      if (isSo(job)) return job;
      assert.ok(performance.now() - begin < maxWaitMs, `the job gets there in time: ${job.state}`);
      await sleep(40);
    }
  }

  /** The folder of the job, and the runner that has it; undefined until one has. */
  async function attemptOf(jobId: string): Promise<Attempt | undefined> {
    for (const name of await readdir(scratch)) {
      const folder = join(scratch, name);
      const text = await readFile(join(folder, 'mark.json'), 'utf8').catch(() => '');
      const mark = text === '' ? undefined : (JSON.parse(text) as Mark);
      if (mark?.attempt?.jobId === jobId && name.startsWith('job-'))
        return { folder, runner: mark.runner.pid };
    }
    return undefined;
  }

  /** Files that dead attempts left there. */
  async function leftBehind(): Promise<string[]> {
    const names = await readdir(scratch);
    return names.filter((name) => name.startsWith('left-') || name.startsWith('gone-'));
  }

  return {
    root,
    projectId,
    place,
    client: () => service.client,
    /** Ends the whole service, and starts it again. */
    async restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
      await end(service.child, signal);
      service = await start();
    },
    async upload(key: string, content: Blob): Promise<void> {
      const form = new FormData();
      form.append('file', content, key);
      const query = { overwrite: true };
      await service.client.postProjectDataBucketUpload({ params: place, query, body: form });
    },
    input: (dataBucketKey: string) => ({
      type: 'internal',
      dataBucketId: place.dataBucketId,
      dataBucketKey,
    }),
    /** Starts a job. @returns its ID */
    async run(jobType: string, name: string, options: FreeForm): Promise<string> {
      const parameters = { datasource: { command: 'create', name }, options };
      const { lastJobId } = await service.client.postProjectTask({
        params: { projectId },
        body: { name, jobType, parameters },
      });
      return lastJobId!;
    },
    until,
    attemptOf,
    async killRunner(jobId: string): Promise<void> {
      process.kill((await attemptOf(jobId))!.runner, 'SIGKILL');
    },
    /** Kills the runner of a job as soon as its checkpoint has something in this file of its temporary folder. */
    async killRunnerWhenSaved(jobId: string, path: string): Promise<void> {
      for (;;) {
        const attempt = await attemptOf(jobId);
        const file = attempt && (await stat(join(attempt.folder, 'scratch', path)).catch(() => undefined));
        if (attempt && file && file.size > 0) return void process.kill(attempt.runner, 'SIGKILL');
        assert.equal((await jobOf(jobId)).endTime, undefined, 'it has ended too soon');
        await sleep(10);
      }
    },
    async succeeded(jobId: string): Promise<Job> {
      const job = await until(jobId, ({ endTime }) => endTime !== undefined);
      assert.equal(job.state, 'succeeded', String(job.errorMessage));
      return job;
    },
    /** Identifies the bytes of the file that became a datasource. */
    async hashOfOutput({ outputItems }: Job): Promise<string> {
      const key = outputItems.find(({ dataBucketKey = '' }) =>
        /\.(?:pmtiles|tif|3tz)$/.test(dataBucketKey),
      )!.dataBucketKey!;
      const reply = await service.client.getProjectDataBucketDownloadFile({ params: place, query: { key } });
      const hash = createHash('sha256');
      await pipeline(Readable.fromWeb(reply.body as never), hash);
      return hash.digest('hex');
    },
    async messagesOf(jobId: string): Promise<string> {
      const { items } = await service.client.getProjectJobLog({ params: { projectId, jobId } });
      return items.map(({ message }) => message).join('\n');
    },
    /** Runners remove the remains of attempts after they have reported the end of the job. */
    async untilSwept(): Promise<void> {
      for (let n = 0; n < 300 && (await leftBehind()).length > 0; n++) await sleep(100);
      assert.deepEqual(await leftBehind(), []);
    },
  };
}
