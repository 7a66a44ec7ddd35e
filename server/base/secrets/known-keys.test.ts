import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { sftp, teamOf } from '../../publishing/credentials/testing.ts';
import { enrolledRunner, holdNext } from '../../jobs/queue/testing.ts';
import { checkKeys } from './known-keys.ts';
import { keyIdOf, secretsWith } from './secrets.ts';

const ownKey = randomBytes(32);
const { service, projectId, manager } = await teamOf({ secretKeys: [ownKey] });
const { context } = service;
const params = { projectId };
const runner = await enrolledRunner(service, 'one');
const [one, other] = [randomBytes(32), randomBytes(32)];

/** What a service with these keys would say at its start. */
async function start(keys: readonly Buffer[]) {
  const lines: { level: number; msg: string; count?: number; keyId?: string }[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as (typeof lines)[0]);
      done();
    },
  });
  const replica = { ...context, secrets: secretsWith(keys), log: pino(sink) };
  await checkKeys(replica);
  return { replica, lines };
}

test('a known key is recognised; another one is reported with what it cannot decrypt, and the service still runs', async () => {
  const first = await start([one]);
  assert.deepEqual(first.lines, []);
  const stranger = await start([other]);
  assert.deepEqual(
    stranger.lines.map(({ level, keyId }) => [level, keyId]),
    [[40, keyIdOf(one)]],
  );
  assert.match(stranger.lines[0]!.msg, /must share their secret key/);
  assert.equal((await start([one])).lines.length, 1, 'the first of the two is told as well');
  assert.deepEqual((await start([one])).lines, []);

  await manager.postLoginCredential({
    body: { name: 'L', type: 'userPassword', username: 'u', password: 'p' },
  });
  await manager.postProjectCredential({ params, body: sftp });
  const { lines } = await start([one]);
  assert.deepEqual(
    lines.map(({ level, count }) => [level, count]),
    [[50, 2]],
  );
  assert.match(lines[0]!.msg, /2 credentials were encrypted with a key that this service does not have/);
  assert.equal(lines[0]!.keyId, context.secrets.currentKeyId);
});

test('without its key credentials are still listed; a job reports the reason, and entering them again repairs it', async () => {
  const { _id: credentialId } = await manager.postProjectCredential({
    params,
    body: { ...sftp, host: 'lost' },
  });
  const { _id: appId } = await manager.postProjectApp({ params, body: { name: 'A' } });
  const at = { params: { projectId, credentialId } };
  const { secret } = (
    await sql<{ secret: Buffer }>`select secret from credential where id = ${credentialId}`.execute(
      context.db,
    )
  ).rows[0]!;
  const foreign = Buffer.from(secret);
  foreign.fill(7, 1, 9); // the id of a key that nobody has
  await sql`update credential set secret = ${foreign} where id = ${credentialId}`.execute(context.db);

  assert.equal((await manager.getProjectCredential(at)).hasPassword, true);
  await manager.putProjectAppPublish({ params: { projectId, appId }, body: { credentialsId: credentialId } });
  const held = (await holdNext(service, runner))!;
  const target = () => held.client.getRunnerJobTarget({ params: held.params });
  await assert.rejects(target(), {
    status: 422,
    message: /another key \(0707070707070707\).*Enter them again/,
  });
  assert.equal((await manager.putProjectCredential({ ...at, body: { name: 'N' } })).name, 'N');
  await assert.rejects(manager.putProjectCredential({ ...at, body: { username: 'x' } }), {
    status: 400,
    message: /\/password: This field is required/,
  });
  await manager.putProjectCredential({ ...at, body: { password: 'anew' } });
  assert.equal(((await target()).target as { password?: string }).password, 'anew');
  await held.complete();
});

test('after a rotation all is encrypted by the new key, also in the trash, and the old one can be given up', async () => {
  const body = { name: 'R', type: 'userPassword' as const, username: 'u', password: 'p' };
  const { _id: loginCredentialId } = await manager.postLoginCredential({ body });
  const { _id: credentialId } = await manager.postProjectCredential({ params, body: sftp });
  await manager.deleteProjectCredential({ params: { projectId, credentialId } });
  const damaged = secretsWith([ownKey]).seal('{}', 'login:another');
  await sql`update login_credential set secret = ${damaged} where name = 'L'`.execute(context.db);

  const next = randomBytes(32);
  await start([next, ownKey]);
  assert.equal((await manager.getLoginCredential({ params: { loginCredentialId } })).revision, 1);
  const { rows } = await sql<{ owner: string; secret: Buffer }>`
    select 'login:' || id as owner, secret from login_credential where name <> 'L' union all
    select 'credential:' || id, secret from credential union all
    select 'credential:' || (content ->> 'id'), decode(substring(content ->> 'secret' from 3), 'hex')
    from trash_row where source = 'credential'`.execute(context.db);
  const secrets = secretsWith([next]);
  assert.ok(rows.length > 3);
  for (const { owner, secret } of rows) assert.match(secrets.open(secret, owner), /^\{"password":/);
});
