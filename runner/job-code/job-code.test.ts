import assert from 'node:assert/strict';
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { JobInput } from '@platen/processing/job-type';
import { confinementOf } from '../job-confinement.ts';
import { memorySettings } from '../job-memory.ts';
import { startJobProcess } from '../job-process.ts';
import type { ChildMessage } from '../messages.ts';
import { cacheKeyOf, childProgram, compiledOf, installation, jobRooms } from './code-files.ts';
import { originalStack } from './original-stack.ts';
import { codeCacheOf } from './read-compiled.ts';
import { buildJobCode, prepare } from './job-code.ts';
import { afterFile } from '../../checks/clean-up.ts';
import { rooms } from '../../checks/rooms.ts';

const scratchFolder = await realpath(await mkdtemp(join(tmpdir(), 'platen-plain-')));
afterFile(() => rm(scratchFolder, { recursive: true, force: true }));
const notBuilt = join(scratchFolder, 'not-built');
const folder = await prepare(scratchFolder, notBuilt);

const run = promisify(execFile);

const trace = join(scratchFolder, 'trace.mjs');
await writeFile(
  trace,
  `import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { process._rawDebug(url); return next(url, context); } });`,
);

/** The modules that a program loads until it sends a message. */
async function loadedBy(program: string): Promise<string[]> {
  const child = fork(program, [], {
    execArgv: ['--disable-warning=ExperimentalWarning', `--require=${trace}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let text = '';
  child.stderr!.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(child, 'message');
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  return text.split('\n').filter((line) => line.startsWith('file:'));
}

test('code is written once per version, and other versions are removed only after a day', async () => {
  assert.equal(await prepare(scratchFolder, notBuilt), folder);
  const old = await mkdtemp(join(scratchFolder, '.code-'));
  const young = await mkdtemp(join(scratchFolder, '.code-'));
  const before = new Date(Date.now() - 25 * 3_600_000);
  await utimes(old, before, before);
  await prepare(scratchFolder, notBuilt);
  const names = await readdir(scratchFolder);
  assert.deepEqual(
    [old, young, folder].map((path) => names.some((name) => path.endsWith(name))),
    [false, true, true],
  );
});

test('other code is written again even if its files have the same size and time', async (t) => {
  const from = await mkdtemp(join(tmpdir(), 'platen-key-'));
  t.after(() => rm(from, { recursive: true, force: true }));
  const keyWith = async (text: string) => {
    await writeFile(join(from, 'a.ts'), text);
    await utimes(join(from, 'a.ts'), 1, 1);
    return cacheKeyOf(['a.ts'], from);
  };
  const key = await keyWith('a < b');
  assert.equal(await keyWith('a < b'), key);
  assert.notEqual(await keyWith('a > b'), key);
});

test('the compiled code is used, whatever the limits of memory are', async () => {
  const program = compiledOf(folder, childProgram).replace(/cjs$/, 'js');
  const code = `
    const [path, compiled] = process.argv.slice(1).map((name) => require('node:fs').readFileSync(name));
    const script = new (require('node:vm').Script)(path.toString(), { cachedData: compiled });
    console.log(script.cachedDataRejected);`;
  for (const megabytes of [256, 4096]) {
    const { options } = memorySettings(megabytes);
    const words = [...options, '--permission', '--allow-fs-read=*', '--eval', code];
    const { stdout } = await run(process.execPath, [...words, program, codeCacheOf(program, options)]);
    assert.equal(stdout, 'false\n');
  }
});

test('threads run from programs of their own', async () => {
  const names = await readdir(folder);
  for (const name of ['runner-child', 'runner-watch-parent', 'tiles-vector-worker'])
    for (const end of ['cjs', 'js', 'js.roomy.cache', 'js.scarce.cache', 'js.map'])
      assert.ok(names.includes(`${name}.${end}`), `${name}.${end}`);
});

test('an unexpected error names our modules, and other texts stay as they are', async (t) => {
  const child = await startJobProcess({ scratchFolder, memoryMegabytes: 256, jobCode: () => folder });
  t.after(() => child.end());
  const { output: outputFolder, scratch } = child.folders;
  const places = { outputFolder, scratchFolder: scratch, readsRanges: false, isVerbose: false };
  const inputs = [{ name: 'without a path', size: 1 } as JobInput];
  const start = { name: 'TilesVector', options: {}, inputs, ...places };
  let stack = '';
  const onMessage = (message: ChildMessage) => {
    if (message.type === 'failed') stack = message.stack!;
  };
  await assert.rejects(child.run(start, onMessage, new AbortController().signal), { code: 'internalError' });
  const [, path, line] = /(\/formats\/open\/unpack-upload\.ts):(\d+):/.exec(stack) ?? [];
  assert.ok(path, stack);
  const text = await readFile(join(installation, path), 'utf8');
  assert.match(text.split('\n')[Number(line) - 1]!, / stat\(/);
  for (const other of [`at ${folder}/unknown.js:1:1`, 'at /elsewhere/runner-child.js:1:1'])
    assert.equal(originalStack(other, folder), other);
});

test('a process starts without installed packages, which would take longer than everything else', async () => {
  const loaded = await loadedBy(childProgram);
  assert.ok(loaded.some((url) => url.endsWith('/runner/child.ts')));
  assert.deepEqual(
    loaded.filter((url) => url.includes('/node_modules/')),
    [],
  );
});

test('job types load without TypeBox, which takes longer than they do', async () => {
  const program = join(scratchFolder, 'load-all.mjs');
  const runs = pathToFileURL(join(installation, 'processing/runs.ts')).href;
  await writeFile(
    program,
    `import { runs } from '${runs}';
    await Promise.all(Object.values(runs).map((load) => load()));
    process.send('ready');`,
  );
  const loaded = await loadedBy(program);
  assert.ok(loaded.some((url) => url.endsWith('/processing/tiles-vector/run.ts')));
  assert.deepEqual(
    loaded.filter((url) => /[/]typebox[/]/.test(url)),
    [],
  );
});

test('a job runs the compiled code, cannot change it, and runs without it, too', async (t) => {
  for (const jobCode of [() => folder, () => undefined]) {
    const child = await startJobProcess({ scratchFolder, memoryMegabytes: 256, jobCode });
    const { output: outputFolder, scratch } = child.folders;
    const where = { outputFolder, scratchFolder: scratch, readsRanges: false, isVerbose: false };
    const start = { name: 'CheckRunner', options: {}, inputs: [], ...where };
    const { report } = await child.run(start, () => {}, new AbortController().signal);
    assert.deepEqual([report?.['networkIsClosed'], report?.['memoryMegabytes']], [true, 256]);
    const { userId, ...rights } = report!['rights'] as Record<string, unknown>;
    const { measures } = await confinementOf(scratchFolder);
    assert.deepEqual(rights, {
      hasNoCapabilities: measures.has('noCapabilities') || process.getuid?.() !== 0,
      canGainNoPrivileges: measures.has('noNewPrivileges'),
      leavesNoCoreDump: measures.has('limits'),
      networkInterfaces: measures.has('ownNetwork') ? 0 : Object.keys(networkInterfaces()).length,
    });
    assert.equal(userId === process.getuid?.(), !measures.has('ownUser'));
    await child.end();
  }
  const program = join(import.meta.dirname, 'testing-poison.ts');
  const jobCode = () => folder;
  const child = await startJobProcess({ scratchFolder, memoryMegabytes: 256, jobCode, program });
  t.after(() => child.end());
  const { output: outputFolder, scratch } = child.folders;
  const where = { outputFolder, scratchFolder: scratch, readsRanges: false, isVerbose: false };
  const start = { name: 'Poison', options: { folder }, inputs: [], ...where };
  const { report } = await child.run(start, () => {}, new AbortController().signal);
  assert.deepEqual(report, { able: ['reads'] });
});

test('a folder that others can write to is not trusted', async (t) => {
  const open = await realpath(await mkdtemp(join(tmpdir(), 'platen-plain-')));
  t.after(() => rm(open, { recursive: true, force: true }));
  await chmod(open, 0o777);
  await assert.rejects(prepare(open, notBuilt), /another user/);
  assert.deepEqual(await readdir(open), []);
});

test('what a build has written is used in place, unless it is of other code or others may write to it', async () => {
  const built = join(scratchFolder, 'built');
  const old = join(built, '.code-of-an-earlier-version');
  await mkdir(old, { recursive: true });
  await utimes(old, 1, 1);
  await buildJobCode(built);
  const [name] = await readdir(built);
  assert.deepEqual(await readdir(built), [name]);
  assert.equal(await prepare(scratchFolder, built), join(built, name!));
  assert.deepEqual(await readdir(join(built, name!)), await readdir(folder));
  await chmod(join(built, name!), 0o777);
  assert.equal(await prepare(scratchFolder, built), folder);
});

test('jobs may read each room that their code comes from, also where it is not compiled', () => {
  const needed = rooms['processing']!.imports.map((path) => path.split('/')[0]!).filter(
    (name) => name in rooms,
  );
  assert.deepEqual(
    needed.filter((room) => !jobRooms.includes(room)),
    [],
  );
});
