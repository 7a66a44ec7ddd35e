import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { test } from 'node:test';
import { maxStreamedFileBytes } from '@platen/contract/runner-outputs';
import { readTar } from '@platen/formats/tar/read-tar';
import { clientFor } from './job-client.ts';
import { confinementOf } from './job-confinement.ts';
import { makeJobFolders } from './job-folders.ts';
import { openJobFile } from './open-job-file.ts';
import { rejectLinesOf } from './rejects/reject-writer.ts';
import { readRejects } from './rejects/send-rejects.ts';
import { listFiles } from './list-files.ts';
import { linkFile, stage } from './stage.ts';
import { upload } from './upload.ts';
import { parseEgressPolicy } from '@platen/egress/policy';
import { afterFile } from '../checks/clean-up.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-files-'));
afterFile(() => rm(folder, { recursive: true, force: true }));
const asked: string[] = [];
let breaks = 0;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.headers['content-type'] === 'application/x-tar')
      asked.push(...Array.from(readTar(Buffer.concat(chunks)), ({ name }) => name));
    else asked.push(new URL(request.url!, 'http://here').searchParams.get('key') ?? '');
    if (breaks-- > 0)
      return response.writeHead(200, { 'content-length': 3 }).write('n', () => response.destroy());
    return response.end(request.method === 'GET' ? 'new' : '{}');
  });
}).listen(0, '127.0.0.1');
afterFile(() => server.close().closeAllConnections());
await once(server, 'listening');
const client = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token');
const { signal } = new AbortController();

test('outputs are files of the output folder: no link is followed out of it', async () => {
  const [output, elsewhere] = [join(folder, 'output'), join(folder, 'elsewhere')];
  await mkdir(join(output, 'sub'), { recursive: true });
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'secret'), 'secret');
  await writeFile(join(output, 'sub/a'), 'a');
  await writeFile(join(output, 'large'), Buffer.alloc(maxStreamedFileBytes + 1));
  await symlink(elsewhere, join(output, 'folder'));
  await symlink(join(elsewhere, 'secret'), join(output, 'file'));
  await upload(client, { jobId: 'J', folder: output, signal, progress: () => {} });
  assert.deepEqual(asked.splice(0), ['sub/a', 'large']);
});

test('names that are not UTF-8 and too many files are named before anything is sent', async () => {
  const output = join(folder, 'odd');
  await mkdir(output);
  await writeFile(Buffer.concat([Buffer.from(`${output}/`), Buffer.from([0xff])]), '');
  await assert.rejects(upload(client, { jobId: 'J', folder: output, signal, progress: () => {} }), {
    code: 'badName',
  });
  await assert.rejects(listFiles(join(folder, 'output'), 1), { code: 'tooManyFiles' });
  assert.deepEqual(asked, []);
});

test('a job cannot hold its runner with links or folders without end', async () => {
  const [links, nested] = [join(folder, 'links'), join(folder, 'nested')];
  await Promise.all([mkdir(links), mkdir(nested)]);
  await Promise.all(Array.from({ length: 3000 }, (_, i) => symlink('nowhere', join(links, `${i}`))));
  let turns = 0;
  const countTurn = () => {
    turns++;
    turn = setImmediate(countTurn);
  };
  let turn = setImmediate(countTurn);
  assert.deepEqual(await listFiles(links, 1000), []);
  clearImmediate(turn);
  assert.ok(turns >= 6, `${turns}`);
  await Promise.all(Array.from({ length: 20 }, (_, i) => mkdir(join(nested, `${i}`))));
  await assert.rejects(listFiles(nested, 10), { code: 'tooManyFiles' });
});

test('a file that was replaced by a link since it was listed is not read', async () => {
  const [secret, output] = [join(folder, 'secret'), join(folder, 'replaced')];
  await writeFile(secret, 'secret');
  await symlink(secret, output);
  await assert.rejects(openJobFile(output), { code: 'ELOOP' });
});

test('a named pipe in the place of rejected features is not waited for', { timeout: 20_000 }, async () => {
  const scratch = join(folder, 'scratch');
  await mkdir(scratch);
  await promisify(execFile)('mkfifo', [rejectLinesOf(scratch)]);
  assert.equal((await readRejects(scratch)).length, 0);
});

test('an input is never written over an existing file, which may be a link to bytes of the service', async () => {
  const [stored, inputs] = [join(folder, 'stored'), join(folder, 'inputs')];
  await writeFile(stored, 'old');
  await mkdir(join(inputs, '0'), { recursive: true });
  await link(stored, join(inputs, '0/a')); // as `A` would be, to a disk that knows no capitals
  const input = { kind: 'file', name: 'a', size: 3 } as const;
  const where = { folder: inputs, isEmbedded: false, egressPolicy: parseEgressPolicy(''), signal };
  const job = { jobId: 'J', inputs: [input] } as never;
  await assert.rejects(stage(client, job, { ...where, onProgress: () => {} }), { code: 'badName' });
  assert.equal(await readFile(stored, 'utf8'), 'old');
  await rm(join(inputs, '0/a'));
  breaks = 1; // what came before is written anew
  await stage(client, job, { ...where, onProgress: () => {} });
  assert.equal(await readFile(join(inputs, '0/a'), 'utf8'), 'new');
});

test('a process with a user of its own reads an input that is a link to closed bytes of the service, and other jobs do not', async (t) => {
  const { measures, newUser, command } = await confinementOf(folder);
  if (!measures.has('ownUser')) return t.skip('only root can start processes of other users');
  const stored = join(folder, 'closed');
  await writeFile(stored, 'bytes', { mode: 0o600 });
  const [user, other] = [newUser()!, newUser()!];
  const { inputs, own } = await makeJobFolders(folder, user);
  const input = join(inputs, 'a');
  assert.equal(await linkFile(stored, input, user.inputGroup), true);
  const { mode, uid, gid } = await stat(stored);
  assert.deepEqual([mode & 0o777, uid, gid], [0o640, 0, user.inputGroup]);
  const as = async ({ id, inputGroup }: typeof user, ...words: string[]) => {
    const [program, ...others] = [...command(id, [inputGroup]), ...words];
    return (await promisify(execFile)(program!, others)).stdout;
  };
  assert.equal(await as(user, 'cat', input), 'bytes');
  for (const words of [
    ['cp', '/bin/true', input],
    ['touch', join(own, 'b')],
    ['rm', input],
    ['ls', folder],
  ])
    await assert.rejects(as(user, ...words), words.join(' '));
  await assert.rejects(as(other, 'cat', input));
  assert.equal(await readFile(stored, 'utf8'), 'bytes');
});
