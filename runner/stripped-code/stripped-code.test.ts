import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { confinementOf } from '../job-confinement.ts';
import { startJobProcess } from '../job-process.ts';
import { installation, cacheKeyOf } from './code-files.ts';
import { buildStrippedCode, prepare } from './stripped-code.ts';
import { afterFile } from '../../checks/clean-up.ts';

const scratchFolder = await realpath(await mkdtemp(join(tmpdir(), 'platen-plain-')));
afterFile(() => rm(scratchFolder, { recursive: true, force: true }));
const notBuilt = join(scratchFolder, 'not-built');
const folder = await prepare(scratchFolder, notBuilt);

const trace = join(scratchFolder, 'trace.mjs');
await writeFile(
  trace,
  `import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { process._rawDebug(url); return next(url, context); } });`,
);

/** The modules that a program loads until it sends a message. */
async function loadedBy(program: string, code: string): Promise<string[]> {
  const child = fork(program, [], {
    execArgv: [`--require=${join(code, 'load.mjs')}`, `--require=${trace}`],
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

test('the code has no types, and positions are unchanged', async () => {
  const path = join('runner', 'clean.ts');
  const [typed, plain] = [
    await readFile(join(installation, path), 'utf8'),
    await readFile(join(folder, path), 'utf8'),
  ];
  assert.equal(plain.length, typed.length);
  assert.match(typed, /: Record<string/);
  assert.doesNotMatch(plain, /: Record<string/);
});

test('a process starts without installed packages, which would take longer than everything else', async () => {
  const loaded = await loadedBy(join(installation, 'runner/child.ts'), folder);
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
  const loaded = await loadedBy(program, folder);
  assert.ok(loaded.some((url) => url.endsWith('/processing/tiles-vector/run.ts')));
  assert.deepEqual(
    loaded.filter((url) => /[/]typebox[/]/.test(url)),
    [],
  );
});

test('a job runs the plain code, cannot change it, and runs without it, too', async (t) => {
  for (const strippedCode of [() => folder, () => undefined]) {
    const child = await startJobProcess({ scratchFolder, memoryMegabytes: 256, strippedCode });
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
  const strippedCode = () => folder;
  const child = await startJobProcess({ scratchFolder, memoryMegabytes: 256, strippedCode, program });
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
  await buildStrippedCode(built);
  const [name] = await readdir(built);
  assert.deepEqual(await readdir(built), [name]);
  assert.equal(await prepare(scratchFolder, built), join(built, name!));
  assert.equal(
    await readFile(join(built, name!, 'runner/clean.ts'), 'utf8'),
    await readFile(join(folder, 'runner/clean.ts'), 'utf8'),
  );
  await chmod(join(built, name!), 0o777);
  assert.equal(await prepare(scratchFolder, built), folder);
});
