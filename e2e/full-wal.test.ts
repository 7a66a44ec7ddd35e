// A test of faults.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { end, runService, type RunningService } from './processes.ts';
import { createLossyDisk, lossyDiskSkipReason } from './testing-lossy-disk.ts';
import { afterFile } from '../checks/clean-up.ts';

const run = promisify(execFile);
const skip = await lossyDiskSkipReason();
const env = { PLATEN_RUNNERS: '0', PLATEN_LOG_LEVEL: 'silent' };
const walMegabytes = 120;

test(
  'when the disk of the write-ahead log is full, requests are refused, and nothing acknowledged is lost',
  { skip },
  async (t) => {
    const disk = await createLossyDisk(walMegabytes);
    const dataFolder = await mkdtemp(join(tmpdir(), 'platen-wal-'));
    afterFile(() => disk.remove());
    afterFile(() => rm(dataFolder, { recursive: true, force: true }));
    const created = new Map<string, string>();
    const statuses = new Set<number>();
    let service = await runService({ dataFolder, env });
    afterFile(() => end(service.child));
    const { _id: projectId } = await service.client.postProject({ body: newProject });
    await end(service.child);
    await moveLog(dataFolder, disk.folder);

    service = await runService({ dataFolder, env });
    const isOver = new AbortController();
    const writers = [1, 2, 3].map(() =>
      write(service, projectId, { created, statuses, signal: isOver.signal }),
    );
    const ballast = join(disk.folder, 'ballast');
    await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M']).catch(() => {}); // until there is no space
    statuses.clear();
    for (let n = 0; n < 600 && statuses.size === 0; n++) await sleep(50);
    await sleep(1000);
    isOver.abort();
    await Promise.all(writers);
    assert.ok(statuses.size > 0, 'a log that cannot be written lets nothing be acknowledged');
    for (const status of statuses) assert.ok([0, 503, 507].includes(status), `${status} was answered`);
    await rm(ballast);
    if (!(await isReadyAgain(service))) {
      // PostgreSQL was given up after several attempts, and a service manager starts the service again
      await end(service.child);
      service = await runService({ dataFolder, env });
    }
    for (const [moduleId, text] of created) {
      const module = await service.client.getProjectModule({ params: { projectId, moduleId } });
      assert.equal((module.properties as { text?: string }).text, text);
    }
    await service.client.postProject({ body: newProject });
    await end(service.child);
    t.diagnostic(`${created.size} rows acknowledged, 0 lost; refused with ${[...statuses].join(', ')}`);
  },
);

const newProject = { name: 'Full', description: '', bbox: [0, 0, 1, 1] };

/** Puts the write-ahead log on a disk of its own. */
async function moveLog(dataFolder: string, folder: string): Promise<void> {
  const log = join(dataFolder, 'postgres/pgdata/pg_wal');
  for (const path of [dirname(folder), folder]) await chmod(path, 0o711); // PostgreSQL is another user
  await run('mv', [log, join(folder, 'pg_wal')]);
  await symlink(join(folder, 'pg_wal'), log);
}

interface Writing {
  /** The text of each module that was acknowledged, by its id. */
  readonly created: Map<string, string>;
  /** Statuses of refusals; 0: the service did not answer. */
  readonly statuses: Set<number>;
  readonly signal: AbortSignal;
}

async function write({ client }: RunningService, projectId: string, writing: Writing): Promise<void> {
  const { created, statuses, signal } = writing;
  while (!signal.aborted) {
    const text = randomBytes(40_000).toString('base64');
    const body = { name: 'M', properties: { text } } as never;
    await client.postProjectModule({ params: { projectId }, body }).then(
      ({ _id }) => void created.set(_id, text),
      (error: { status?: number }) => statuses.add(error.status ?? 0),
    );
    await sleep(1);
  }
}

async function isReadyAgain({ url, child }: RunningService): Promise<boolean> {
  for (let n = 0; n < 200 && child.exitCode === null; n++) {
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return true;
    await sleep(100);
  }
  return false;
}
