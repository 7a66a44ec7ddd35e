import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { adminPassword } from '../../server/testing.ts';
import { runCommand } from '../run-command.ts';
import { platen } from '../testing-platen.ts';
import { startListening } from '../testing.ts';

const { service, url, env, folder } = await startListening();
const { PLATEN_TOKEN: _, PLATEN_URL: __, ...signedOut } = env;
const file = join(folder, 'platen/credentials.json');
const bbox = [-180, -85, 180, 85];
const stored = async () => JSON.parse(await readFile(file, 'utf8')) as { services: Record<string, object> };

test('a login is stored for this user alone, used by other commands, and revoked by the logout', async () => {
  const login = ['login', '--url', `${url}/api/v1/`, '--username', 'admin', '--password-stdin'];
  const signedIn = await platen(login, { env: signedOut, input: `${adminPassword}\n` });
  assert.deepEqual([signedIn.code, signedIn.err], [0, '']);
  assert.match(signedIn.out, new RegExp(`^Signed in to ${url} as admin until `));
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const { token } = (await stored()).services[url] as { token: string };
  assert.ok(!signedIn.out.includes(token));
  assert.deepEqual(JSON.parse((await platen(['whoami', '--json'], { env: signedOut })).out), {
    url,
    _id: service.adminId,
    username: 'admin',
  });
  await chmod(file, 0o644);
  const readable = await platen(['whoami'], { env: signedOut });
  assert.deepEqual([readable.code, readable.out], [3, '']);
  assert.match(readable.err, /Other users can read .*Run: chmod 600/);
  await chmod(file, 0o600);
  assert.equal((await platen(['logout'], { env: signedOut })).code, 0);
  assert.deepEqual((await stored()).services, {});
  await assert.rejects(service.as(token).getUserWhoami(), { status: 401 });
  const after = await platen(['project', 'list'], { env: signedOut });
  assert.deepEqual([after.code, after.out], [3, '']);
  assert.match(after.err, /You are not signed in\. Run: platen login/);
});

test('a token from elsewhere is checked, stored, and not revoked by the logout', async () => {
  const login = ['login', '--url', url, '--token-stdin', '--json'];
  const { code, out } = await platen(login, { env: signedOut, input: `${service.adminToken}\n` });
  assert.deepEqual([code, JSON.parse(out)], [0, { url, username: 'admin' }]);
  const wrong = await platen(login, { env: signedOut, input: 'nonsense\n' });
  assert.deepEqual([wrong.code, wrong.out], [3, '']);
  const none = await platen(login, { env: signedOut, input: '\n' });
  assert.deepEqual([none.code, none.err], [2, 'platen: Standard input contains no token.\n']);
  assert.equal((await platen(['whoami'], { env: signedOut })).code, 0, 'the former token is kept');
  assert.match((await platen(['logout'], { env: signedOut })).err, /The access token stays valid/);
  await service.as(service.adminToken).getUserWhoami();
});

test('a password that is typed is not shown', async () => {
  const typed = Object.assign(new PassThrough(), { isTTY: true });
  const errors = new PassThrough({ encoding: 'utf8' });
  let shown = '';
  errors.on('data', (text: string) => {
    shown += text;
    if (text.endsWith('User name: ')) typed.write('admin\r');
    if (text.endsWith('Password of admin: ')) typed.write(`${adminPassword}\r`);
  });
  const streams = { input: typed, output: new PassThrough(), errors, env: signedOut };
  const { signal } = new AbortController();
  assert.equal(await runCommand(['login', '--url', url], { ...streams, signal }), 0);
  assert.match(shown, /Password of admin: \n$/);
  assert.ok(!shown.includes('horse'));
  assert.equal((await platen(['logout'], { env: signedOut })).code, 0);
});

test('the access token of a project works in its project, and one for reading only reads', async () => {
  const ids: string[] = [];
  for (const name of ['Own', 'Other'])
    ids.push((await service.admin.postProject({ body: { name, description: '', bbox } }))._id);
  const [projectId = ''] = ids;
  const tokenOf = async (scope: 'read' | 'write') => {
    const body = { name: scope, roleId: 'projectManager' as const, scope };
    return (await service.admin.postProjectAccessToken({ params: { projectId }, body })).token;
  };
  const writing = { ...env, PLATEN_TOKEN: await tokenOf('write'), PLATEN_PROJECT: projectId };
  assert.equal((await platen(['whoami'], { env: writing })).code, 0);
  assert.match((await platen(['project', 'list'], { env: writing })).out, /^\w{26} {2}Own\n$/);
  const path = join(folder, 'file.txt');
  await writeFile(path, 'text');
  const uploaded = await platen(['upload', path], { env: writing });
  assert.deepEqual([uploaded.code, uploaded.err], [0, '']);
  const other = await platen(['upload', path, '--project', ids[1]!], { env: writing });
  assert.deepEqual([other.code, other.err.includes('No project has the ID')], [4, true]);
  const reading = { ...writing, PLATEN_TOKEN: await tokenOf('read') };
  await writeFile(path, 'other text');
  const refused = await platen(['upload', path, '--overwrite'], { env: reading });
  assert.deepEqual([refused.code, refused.err.trim().split('\n').length], [3, 1]);
});

test('a token of the environment is sent only to the service of the environment', async () => {
  const elsewhere = await platen(['whoami', '--url', 'http://127.0.0.1:9'], { env });
  assert.deepEqual(
    [elsewhere.code, elsewhere.err],
    [3, 'platen: You are not signed in to http://127.0.0.1:9. Run: platen login --url http://127.0.0.1:9\n'],
  );
  const { PLATEN_URL: _url, ...tokenOnly } = env;
  assert.equal((await platen(['whoami'], { env: tokenOnly })).code, 2);
});

/** An address at which nothing listens. */
async function closedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}`;
}

const failures: readonly (readonly [
  name: string,
  words: string[],
  change: object,
  code: number,
  says: RegExp,
])[] = [
  ['a wrong token', ['whoami'], { PLATEN_TOKEN: 'nonsense' }, 3, /Sign in again with “platen login”/],
  ['no service', ['whoami'], { PLATEN_URL: await closedUrl() }, 5, /^platen: Cannot reach http:.*refused/],
  ['no such host', ['whoami'], { PLATEN_URL: 'http://nowhere.invalid' }, 5, /^platen: Cannot reach/],
  ['no address', ['whoami'], { PLATEN_URL: 'ftp://x' }, 2, /“ftp:\/\/x” is not the address of a service/],
  ['an unknown project', ['app', 'list', '--project', 'None'], {}, 4, /No project has the ID or name “None”/],
  ['a wrong password', ['login', '--username', 'admin', '--password-stdin'], {}, 3, /password/i],
  ['no terminal', ['login'], {}, 2, /Standard input is not a terminal/],
];

for (const [name, words, change, code, says] of failures)
  test(`${name} ends with exit code ${code} and one sentence`, async () => {
    const outcome = await platen(words, { env: { ...env, ...change }, input: 'wrong\n' });
    assert.deepEqual([outcome.code, outcome.out], [code, '']);
    assert.match(outcome.err, says);
    assert.equal(outcome.err.trim().split('\n').length, 1);
  });

test('lists name everything by ID and name, and what several have is not guessed', async () => {
  const hostile = 'evil\u001B[2J\u202Eexe\u009B31m';
  const ids: string[] = [];
  for (const name of ['Twins', 'Twins', hostile])
    ids.push((await service.admin.postProject({ body: { name, description: '', bbox } }))._id);
  const list = await platen(['project', 'list'], { env });
  const listed = list.out.split('\n').filter((line) => ids.includes(line.slice(0, 26)));
  assert.deepEqual(listed.toSorted(), [
    `${ids[0]}  Twins`,
    `${ids[1]}  Twins`,
    `${ids[2]}  evil\\u001b[2J\\u202eexe\\u009b31m`,
  ]);
  const json = await platen(['project', 'list', '--name', 'evil', '--json'], { env });
  for (const control of ['\u001B', '\u009B', '\u202E']) assert.ok(!json.out.includes(control));
  assert.deepEqual(
    (JSON.parse(json.out) as { name: string }[]).map(({ name }) => name),
    [hostile],
  );
  const twins = await platen(['bucket', 'list', '--project', 'Twins'], { env });
  assert.equal(twins.code, 1);
  for (const id of ids.slice(0, 2)) assert.ok(twins.err.includes(id));
  const [id = ''] = ids;
  const buckets = await platen(['bucket', 'list'], { env: { ...env, PLATEN_PROJECT: id } });
  assert.equal(buckets.out.trim().split('\n').length, 1);
  for (const kind of ['task', 'app'])
    assert.deepEqual(await platen([kind, 'list', '--project', id, '--json'], { env }), {
      code: 0,
      out: '[]\n',
      err: '',
    });
});
