import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import { sshKeys } from '../logins/testing.ts';
import { enrolledRunner, holdNext } from '../../jobs/queue/testing.ts';
import { sendTo } from '../../testing.ts';
import { ftp, s3, sftp, teamOf } from './testing.ts';

const { service, projectId } = await teamOf();
const { context, adminToken } = service;
const params = { projectId };

const { privateKey } = sshKeys.openSsh;
const secrets = [
  'leak-password-1',
  'leak-password-2',
  'leak-secret-3',
  'leak-token-4',
  'leak-password-5',
  'leak-password-6',
  privateKey.split('\n')[3]!,
] as const;
const [first, second, third, fourth, fifth, sixth] = secrets;

const log: string[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    log.push(chunk.toString());
    done();
  },
});
const app = await createApp({ ...context, log: pino({ level: 'trace' }, sink) });
const replies: string[] = [];
const isTarget = (url: string) => url.endsWith('/target');
const as = (token: string) =>
  createClient(apiEndpoints, {
    baseUrl: '',
    token,
    send: async (input, init) => {
      const url = input instanceof Request ? input.url : input.toString();
      const reply = await sendTo(app)(input, init);
      if (!isTarget(url)) replies.push(await reply.clone().text());
      return reply;
    },
  });
const admin = as(adminToken);

/** Every row there is, as text; bytes in hexadecimal digits. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`.execute(context.db);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(
      context.db,
    );
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

function requireNone(text: string, where: string): void {
  for (const secret of secrets) {
    assert.ok(!text.includes(secret), `${secret} stands in ${where}`);
    assert.ok(!text.includes(Buffer.from(secret).toString('hex')), `${secret} stands in ${where} as bytes`);
  }
}

test('no secret is in the database, a log or a response, whatever was done with it', async () => {
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
  const body = { ...ftp, password: first };
  const made = await admin.postProjectCredential({ params, body, ...keyed('k1') });
  assert.deepEqual(await admin.postProjectCredential({ params, body, ...keyed('k1') }), made);
  await assert.rejects(
    admin.postProjectCredential({ params, body: { ...body, password: second }, ...keyed('k1') }),
    { status: 422 },
  );
  const login = { name: 'K', type: 'sshKey' as const, username: 'u', privateKey };
  const { _id: loginCredentialId } = await admin.postLoginCredential({ body: login, ...keyed('k2') });
  const { username: _, password: __, ...place } = sftp;
  const byLogin = await admin.postProjectCredential({ params, body: { ...place, loginCredentialId } });
  const cloud = await admin.postProjectCredential({
    params,
    body: { ...s3, secretAccessKey: third, sessionToken: fourth },
    ...keyed('k3'),
  });
  const hashes = await context.db.selectFrom('idempotent_request').select('body_hash').execute();
  for (const sent of [body, login]) {
    const plain = createHash('sha256').update(JSON.stringify(sent)).digest();
    assert.ok(!hashes.some(({ body_hash: hash }) => hash.equals(plain)), 'a secret could be guessed from it');
  }
  const at = { params: { projectId, credentialId: made._id } };
  await admin.putProjectCredential({ ...at, body: { password: fifth } });
  const wrong = [
    { ...body, port: -1 },
    { ...body, password: `${sixth}\n` },
    { ...body, passwort: sixth },
    { ...body, name: '', password: sixth },
    { ...body, type: sixth },
    { ...s3, secretAccessKey: { deep: sixth } },
    { ...sftp, privateKey: privateKey.slice(0, -60) },
  ];
  for (const refused of wrong)
    await assert.rejects(admin.postProjectCredential({ params, body: refused as never }), { status: 400 });

  // an error of ours, in which PostgreSQL tells the row that it refuses
  await sql`alter table credential add constraint refusal check (name <> 'refused')`.execute(context.db);
  await assert.rejects(admin.postProjectCredential({ params, body: { ...body, name: 'refused' } }), {
    status: 500,
  });
  assert.match(log.join(''), /refused/);

  const { _id: appId } = await admin.postProjectApp({ params, body: { name: 'A' } });
  const runner = await enrolledRunner({ context, as: (token = '') => as(token) as never }, 'one');
  for (const { _id: credentialsId } of [made, byLogin, cloud]) {
    await admin.putProjectAppPublish({ params: { projectId, appId }, body: { credentialsId } });
    const held = (await holdNext({ as: (token = '') => as(token) as never }, runner))!;
    const { target } = await held.client.getRunnerJobTarget({ params: held.params });
    assert.match(JSON.stringify(target), /leak-|PRIVATE KEY/);
    await held.fail({ code: 'cannotTransfer', message: 'The server refused.' });
    const debug = await app.inject({
      url: `/api/v1/project/${projectId}/job/${held.jobId}/debug-package`,
      headers: { authorization: `Bearer ${adminToken}` },
    });
    requireNone(gunzipSync(debug.rawPayload).toString(), 'a debug package');
  }
  requireNone(await dump(), 'the database');
  await admin.deleteProjectCredential({ ...at, query: { force: true } });
  requireNone(await dump(), 'the database, with its trash');
  await admin.getAudit();
  await admin.getProjectTrash({ params });
  requireNone(replies.join('\n'), 'a reply');
  requireNone(log.join('\n'), 'the log');
  assert.ok(replies.length > 20);
  await app.close();
});
