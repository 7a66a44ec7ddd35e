import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { confinementMeasures, type ConfinementMeasure } from '@platen/contract/confinement';
import { detectConfinement } from './confinement.ts';
import { randomUser, userOfFolder } from './reserved-users.ts';

const isRoot = process.getuid?.() === 0;
const noRoot = !isRoot && 'only root can start processes of other users';
const confinement = await detectConfinement([process.execPath]);
const has = (measure: ConfinementMeasure) => confinement.measures.has(measure);
const lacks = (measure: ConfinementMeasure) => !has(measure) && `this machine does not allow ${measure}`;

/** Runs a command without Node's permissions, as hostile native code in a process would. */
async function run(...words: string[]): Promise<string> {
  const [program, ...others] = [...confinement.command(confinement.newUser()), ...words];
  const { stdout } = await promisify(execFile)(program!, others, { env: { PATH: '/usr/bin:/bin' } });
  return stdout;
}

const fails = (...words: string[]) =>
  run(...words).then(
    () => false,
    () => true,
  );

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-confined-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('root in the first user namespace of Linux has every measure, and an ordinary user all but a user per process', async (t) => {
  t.diagnostic([...confinement.measures].join(', '));
  if (process.env['CI'] !== 'true' && confinement.measures.size === 0) return t.skip('no util-linux');
  for (const measure of ['endsWithParent', 'noNewPrivileges', 'noCapabilities', 'limits'] as const)
    assert.ok(has(measure), measure);
  assert.equal(has('ownUser'), isRoot);
});

test('a process has no capabilities and can gain none', { skip: lacks('noNewPrivileges') }, async () => {
  const status = await run('cat', '/proc/self/status');
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1];
  assert.deepEqual(['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].map(field), Array(4).fill('0'.repeat(16)));
  assert.equal(field('NoNewPrivs'), '1');
  if (isRoot) assert.equal(field('CapBnd'), '0'.repeat(16));
});

test('a process reaches no network, not even this machine', { skip: lacks('ownNetwork') }, async () => {
  assert.match(await run('cat', '/proc/net/dev'), /^Inter[^\n]*\n[^\n]*\n\s*lo:[^\n]*\n$/);
  const code = `require('net').connect(9, '127.0.0.1').on('error', (error) => console.log(error.code))`;
  assert.match(await run(process.execPath, '-e', code), /ENETUNREACH/);
});

test(
  'a process leaves no core dump and opens a limited number of files',
  { skip: lacks('limits') },
  async () => {
    const limits = await run('cat', '/proc/self/limits');
    assert.match(limits, /^Max core file size +0 +0 /m);
    assert.ok(Number(/^Max open files +\d+ +(\d+)/m.exec(limits)?.[1]) <= 16_384);
    if (isRoot) assert.match(limits, /^Max processes +2048 +2048 /m);
  },
);

test(
  'a process with a user of its own reads no files of ours and signals no process',
  { skip: lacks('ownUser') },
  async (t) => {
    const folder = await folderFor(t);
    const secret = join(folder, 'secret');
    await chmod(folder, 0o755);
    await writeFile(secret, 'secret', { mode: 0o600 });
    assert.ok(await fails('cat', secret));
    assert.ok(await fails('cat', `/proc/${process.pid}/environ`));
    assert.ok(await fails('kill', '-0', `${process.pid}`));
    await chmod(secret, 0o604);
    assert.equal(await run('cat', secret), 'secret');
    const [first, second] = [await run('id', '-u'), await run('id', '-u')];
    assert.notEqual(first, second);
    assert.equal(Number(await run('id', '-G')) >= 60_578, true);
  },
);

test(
  'if a process could not reach its code with a user of its own, it has ours and all other measures',
  { skip: noRoot },
  async (t) => {
    const closed = join(await folderFor(t), 'code');
    await writeFile(closed, '', { mode: 0o600 });
    const { measures, newUser } = await detectConfinement([closed]);
    assert.deepEqual(
      [...confinement.measures].filter((measure) => !measures.has(measure)),
      ['ownUser'],
    );
    assert.equal(newUser(), undefined);
  },
);

test(
  'without the capabilities of a container, what is left of the measures holds',
  { skip: noRoot },
  async () => {
    const code = `
    const { detectConfinement } = await import(${JSON.stringify(join(import.meta.dirname, 'confinement.ts'))});
    const { measures } = await detectConfinement();
    console.log(JSON.stringify([...measures]));`;
    const node = [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      code,
    ];
    const measuresWithout = async (capabilities: string) => {
      const { stdout } = await promisify(execFile)('setpriv', [`--bounding-set=${capabilities}`, ...node]);
      return JSON.parse(stdout) as ConfinementMeasure[];
    };
    assert.deepEqual(
      await measuresWithout('-sys_admin'), // as Docker starts containers
      confinementMeasures.filter((measure) => measure !== 'ownNetwork' && has(measure)),
    );
    assert.equal((await measuresWithout('-dac_override')).includes('ownUser'), false);
  },
);

test('a process ends with its parent, whatever its user', { skip: lacks('endsWithParent') }, async (t) => {
  const [program, ...words] = [...confinement.command(confinement.newUser()), 'sleep', '1000'];
  const code = `
    const child = require('child_process').spawn(${JSON.stringify(program)}, ${JSON.stringify(words)});
    child.once('spawn', () => setTimeout(() => console.log(child.pid), 200));`;
  const parent = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
  t.after(() => parent.kill('SIGKILL'));
  const isAlive = () =>
    stat(`/proc/${Number(pid)}/cwd`).then(
      () => true,
      () => false,
    );
  assert.ok(await isAlive());
  const gone = once(parent, 'close'); // when the child has closed the output, too
  parent.kill('SIGKILL');
  await gone;
  for (let tries = 0; (await isAlive()) && tries < 500; tries++)
    await new Promise((go) => setTimeout(go, 10));
  assert.equal(await isAlive(), false);
});

test(
  'the user of a folder stays the same, differs from that of another, and is none of a process',
  { skip: noRoot },
  async (t) => {
    const [one, other] = [await folderFor(t), await folderFor(t)];
    const users = [await userOfFolder('database', one), await userOfFolder('database', other)];
    assert.equal(users[0], await userOfFolder('database', one));
    assert.notEqual(users[0], users[1]);
    await chown(one, 12_345, 12_345);
    assert.equal(users[0], await userOfFolder('database', one));
    const jobs = Array.from({ length: 1000 }, () => randomUser('job')!);
    const databases = users.map(Number);
    assert.ok(Math.min(...jobs) > Math.max(...databases));
  },
);
