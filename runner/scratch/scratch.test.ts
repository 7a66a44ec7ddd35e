import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeJobFolders, type JobUser } from '../job-folders.ts';
import { keepFolder, writeLeaseFile, type ResumableAttempt } from './scratch-folders.ts';
import { killOrphan, processState, processIdentity, type ProcessIdentity } from './process-identity.ts';
import { sweepScratch } from './sweep-scratch.ts';
import { adoptScratch } from './adopt.ts';
import { afterFile } from '../../checks/clean-up.ts';

const here = (await processIdentity(process.pid))!;
const hourMs = 3_600_000;

/** A process that does nothing until it is killed. */
async function someProcess() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  afterFile(() => child.kill('SIGKILL'));
  const kill = async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return { life: (await processIdentity(child.pid!))!, kill, stop: () => child.kill('SIGSTOP') };
}

async function dead(): Promise<ProcessIdentity> {
  const { life, kill } = await someProcess();
  await kill();
  return life;
}

async function emptyRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'platen-scratch-'));
  afterFile(() => rm(root, { recursive: true, force: true }));
  return root;
}

interface Held extends Partial<ResumableAttempt> {
  readonly runner: ProcessIdentity;
  readonly content?: string;
}

/** The folder of an attempt of the job J, with one file in its scratch folder. */
async function folderOf(root: string, { runner, content = 'notes', ...given }: Held): Promise<string> {
  const folder = join(root, `job-${runner.pid}-${randomUUID()}`);
  for (const name of ['inputs', 'output', 'scratch']) await mkdir(join(folder, name), { recursive: true });
  if (content !== '') await writeFile(join(folder, 'scratch/notes'), content);
  const attempt = { jobId: 'J', attempt: 1, fingerprint: 'same', child: runner, service: 'here', ...given };
  await writeLeaseFile(folder, { runner, attempt });
  return folder;
}

/** The next attempt of the job J. @returns what lies in its scratch folder by then */
async function next(
  root: string,
  { user, ...change }: Partial<{ attempt: number; fingerprint: string; user: JobUser }> = {},
) {
  const folders = await makeJobFolders(await emptyRoot(), user);
  const notes = join(folders.scratch, 'notes');
  const taken = await adoptScratch({ root, folders, jobId: 'J', attempt: 5, fingerprint: 'same', ...change });
  if (user)
    assert.deepEqual([(await stat(folders.scratch)).uid, (await stat(notes)).uid], [user.id, user.id]);
  return [taken, await readFile(notes, 'utf8').catch(() => undefined)];
}

const nothing = [undefined, undefined];
const isRoot = process.getuid?.() === 0;

test(
  'a process with a user of its own becomes the owner of the files that it resumes with, but of no links to others',
  { skip: !isRoot && 'only root can start processes of other users' },
  async () => {
    const root = await emptyRoot();
    const folder = await folderOf(root, { runner: await dead() });
    const [former, user] = [70_001, { id: 70_002, inputGroup: 70_003 }];
    for (const name of ['scratch', 'scratch/notes']) await chown(join(folder, name), former, former);
    const other = join(await emptyRoot(), 'other');
    await writeFile(other, '');
    await link(other, join(folder, 'scratch/linked'));
    await symlink(other, join(folder, 'scratch/symbolic'));
    assert.deepEqual(await next(root, { user }), [1, 'notes']);
    assert.equal((await stat(other)).uid, 0);
  },
);

test('files of a dead process are moved to the next attempt, and the rest of its folder is removed', async () => {
  const root = await emptyRoot();
  await folderOf(root, { runner: await dead() });
  assert.deepEqual(await next(root), [1, 'notes']);
  assert.deepEqual(await readdir(root), []);
});

test('a mark that a power cut has left half written keeps neither the next attempt nor the clean-up from their work', async () => {
  const root = await emptyRoot();
  const runner = await dead();
  await folderOf(root, { runner });
  for (const kind of ['left', 'job']) {
    const folder = await folderOf(root, { runner });
    await writeFile(join(folder, 'mark.json'), '{"run');
    if (kind === 'left') await keepFolder(root, folder);
  }
  assert.deepEqual(await next(root), [1, 'notes']);
  const now = () => Date.now() + hourMs;
  await sweepScratch({ root, service: 'here', openJobs: async () => [], now });
  assert.deepEqual(await readdir(root), []);
});

test('files of a live runner are not taken, even if it is paused', async () => {
  const root = await emptyRoot();
  const runner = await someProcess();
  runner.stop();
  const folder = await folderOf(root, { runner: runner.life, child: await dead() });
  assert.deepEqual(await next(root), nothing);
  assert.deepEqual(await readdir(join(folder, 'scratch')), ['notes']);
});

test('a process that has outlived its runner is ended before its folder is taken', async () => {
  const root = await emptyRoot();
  const child = await someProcess();
  child.stop();
  await folderOf(root, { runner: await dead(), child: child.life });
  assert.deepEqual(await next(root), [1, 'notes']);
  assert.equal(await processState(child.life), 'dead');
});

test('a process that has got the number of a dead one is neither taken for it nor ended', async () => {
  const root = await emptyRoot();
  const other = await someProcess();
  const formerly = { ...other.life, start: '1' };
  await folderOf(root, { runner: formerly, child: formerly });
  assert.equal(await killOrphan(formerly), true);
  assert.deepEqual(await next(root), [1, 'notes']);
  assert.equal(await processState(other.life), 'alive');
});

test('files are not taken if it is unknown whether their process lives', async () => {
  const life = await dead();
  for (const elsewhere of [
    { namespace: 'pid:[1]' },
    { boot: 'another', host: 'another' },
    { boot: 'former' },
  ]) {
    const root = await emptyRoot();
    const runner = { ...life, ...elsewhere };
    await folderOf(root, { runner });
    assert.deepEqual(await next(root), nothing, JSON.stringify(elsewhere));
  }
});

test('files made from other inputs, by a later attempt or for another job are not taken', async () => {
  const root = await emptyRoot();
  const runner = await dead();
  await folderOf(root, { runner });
  assert.deepEqual(await next(root, { fingerprint: 'another' }), nothing);
  assert.deepEqual(await readdir(root), [], 'it is of no use to anybody');
  await folderOf(root, { runner });
  assert.deepEqual(await next(root, { attempt: 1 }), nothing);
  await folderOf(root, { runner, jobId: 'K' });
  assert.equal((await readdir(root)).length, 2);
});

test('the newest of several attempts with files is resumed', async () => {
  const root = await emptyRoot();
  const runner = await dead();
  await folderOf(root, { runner, attempt: 1, content: 'first' });
  await folderOf(root, { runner, attempt: 2, content: 'second' });
  await folderOf(root, { runner, attempt: 3, content: '' });
  assert.deepEqual(await next(root), [2, 'second']);
  assert.deepEqual(await readdir(root), []);
});

test('if several attempts want the same files, one gets them', async () => {
  const root = await emptyRoot();
  await folderOf(root, { runner: await dead() });
  const results = await Promise.all(Array.from({ length: 8 }, () => next(root)));
  assert.equal(results.filter(([, notes]) => notes === 'notes').length, 1);
});

interface Sweep {
  readonly open?: readonly string[];
  readonly laterMs?: number;
}

/** Sweeps as a runner does that begins so much later. @returns the kinds of folders that stay */
async function sweep(root: string, { open = [], laterMs = 0 }: Sweep = {}): Promise<string[]> {
  await sweepScratch({
    root,
    service: 'here',
    openJobs: (asked) => Promise.resolve(asked.filter((jobId) => open.includes(jobId))),
    now: () => Date.now() + laterMs,
  });
  return (await readdir(root)).map((name) => name.split('-')[0]!).toSorted();
}

test('of dead processes, only the notes of open jobs are kept', async () => {
  const root = await emptyRoot();
  const runner = await dead();
  await folderOf(root, { runner });
  await folderOf(root, { runner, jobId: 'ended' });
  await folderOf(root, { runner, jobId: 'empty', content: '' });
  assert.deepEqual(await sweep(root, { open: ['J', 'empty'] }), ['left']);
  const [left] = await readdir(root);
  assert.deepEqual((await readdir(join(root, left!))).toSorted(), ['mark.json', 'scratch']);
  assert.deepEqual(await next(root), [1, 'notes']);
});

test('unused files are removed after a day, or when their job has ended', async () => {
  const root = await emptyRoot();
  await folderOf(root, { runner: await dead() });
  assert.deepEqual(await sweep(root, { open: ['J'], laterMs: 0 }), ['left']);
  assert.deepEqual(await sweep(root, { open: ['J'], laterMs: 23 * hourMs }), ['left']);
  assert.deepEqual(await sweep(root, { open: ['J'], laterMs: 25 * hourMs }), []);
  await folderOf(root, { runner: await dead() });
  assert.deepEqual(await sweep(root, { open: ['J'] }), ['left']);
  assert.deepEqual(await sweep(root), []);
});

test('files of another or unreachable service are kept for a day', async () => {
  const root = await emptyRoot();
  await folderOf(root, { runner: await dead(), service: 'elsewhere' });
  assert.deepEqual(await sweep(root), ['left']);
  assert.deepEqual(await sweep(root, { laterMs: 25 * hourMs }), []);
  await folderOf(root, { runner: await dead() });
  const unreachable = () => Promise.reject(new Error('fetch failed'));
  await sweepScratch({ root, service: 'here', openJobs: unreachable, now: Date.now });
  assert.equal((await readdir(root)).length, 1);
});

test('the newest folder of a job is kept, and the sixteen latest of many jobs', async () => {
  const root = await emptyRoot();
  const runner = await dead();
  const open = Array.from({ length: 18 }, (_, number) => `job ${number}`);
  for (const [number, jobId] of open.entries()) {
    const folder = await folderOf(root, { runner, jobId, attempt: 2 });
    await keepFolder(root, folder);
    await sleep(5 + number / 10); // so that their times differ
  }
  await folderOf(root, { runner, jobId: 'job 17', attempt: 1 });
  assert.equal((await sweep(root, { open })).length, 16);
  const marks = await Promise.all(
    (await readdir(root)).map((name) => readFile(join(root, name, 'mark.json'), 'utf8')),
  );
  const left = marks.map((text) => (JSON.parse(text) as { attempt: ResumableAttempt }).attempt);
  assert.ok(left.some(({ jobId, attempt }) => jobId === 'job 17' && attempt === 2));
  assert.ok(!left.some(({ jobId }) => jobId === 'job 0' || jobId === 'job 1'));
});

test('folders of live runners are kept, and of invisible ones as long as they report', async () => {
  const root = await emptyRoot();
  const runner = await someProcess();
  await folderOf(root, { runner: runner.life });
  assert.deepEqual(await sweep(root, { laterMs: 30 * 24 * hourMs }), ['job']);
  await runner.kill();
  assert.deepEqual(await sweep(root), []);
  await folderOf(root, { runner: { ...here, namespace: 'pid:[1]' } });
  assert.deepEqual(await sweep(root, { laterMs: hourMs / 2 }), ['job']);
  assert.deepEqual(await sweep(root, { laterMs: 2 * hourMs }), []);
  await folderOf(root, { runner: { ...here, boot: 'former' } });
  assert.deepEqual(await sweep(root), [], 'this machine has started again since');
});

test('a runner marks its own folders as alive', async () => {
  const root = await emptyRoot();
  const folder = await folderOf(root, { runner: here });
  const mark = join(folder, 'mark.json');
  await utimes(mark, 1, 1);
  assert.deepEqual(await sweep(root), ['job']);
  const { mtimeMs } = await import('node:fs/promises').then(({ stat }) => stat(mark));
  assert.ok(Date.now() - mtimeMs < hourMs);
});

test('files that do not belong to a runner are never touched', async () => {
  const root = await emptyRoot();
  await mkdir(join(root, 'job-1-mine'));
  await mkdir(join(root, 'documents'));
  await writeFile(join(root, `left-${randomUUID()}`), 'a file');
  await mkdir(join(root, `job-4000000-${randomUUID()}`)); // just made, not marked yet
  await sweep(root, { laterMs: 0 });
  assert.equal((await readdir(root)).length, 4);
  await sweep(root, { laterMs: 2 * 60_000 });
  assert.equal((await readdir(root)).length, 3);
});
