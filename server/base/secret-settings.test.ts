import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { readConfig } from './config.ts';

const secrets = {
  DATABASE_URL: 'postgres://u:of-database@127.0.0.1/none',
  PLATEN_ADMIN_PASSWORD: 'of-administrator',
  PLATEN_ENROLMENT_TOKEN: 'of-runners-0123456789012345',
  PLATEN_SECRET_KEY: 'of-secrets',
  AWS_ACCESS_KEY_ID: 'of-bucket',
  AWS_SECRET_ACCESS_KEY: 'of-bucket-too',
  AWS_SESSION_TOKEN: 'of-session',
};

test('secrets are read once: neither the environment of the service nor that of its children has them', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-secrets-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  // loaded into the service, it reports when the service stops at a wrong setting
  const report = join(folder, 'report.mjs');
  await writeFile(
    report,
    `import { execFileSync } from 'node:child_process';
    process.on('exit', () => console.log(JSON.stringify(process.env), execFileSync('/usr/bin/env').toString()));`,
  );
  const program = resolve(import.meta.dirname, '../start.js');
  const options = [
    '--disable-warning=ExperimentalWarning',
    `--import=${pathToFileURL(report).href}`,
    program,
  ];
  const env = { ...secrets, PLATEN_DATA: join(folder, 'data'), PLATEN_PORT: 'none' };
  const run = promisify(execFile)(process.execPath, options, { env });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  assert.match(stderr, /PLATEN_PORT must be a whole number/);
  assert.match(stdout, /"PLATEN_PORT":"none"[^]*PLATEN_PORT=none/);
  for (const [name, value] of Object.entries(secrets))
    assert.ok(!stdout.includes(name) && !stdout.includes(value), name);
});

test('secrets can be in files, one line each, and a mistake is named without the secret', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-secrets-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const env: Record<string, string> = { AWS_ACCESS_KEY_ID: 'of-bucket' };
  for (const [name, value] of Object.entries(secrets)) {
    if (name === 'AWS_ACCESS_KEY_ID' || name === 'PLATEN_SECRET_KEY') continue;
    env[`${name}_FILE`] = join(folder, name);
    await writeFile(env[`${name}_FILE`]!, `${value}\n`);
  }
  const { databaseUrl, adminPassword, enrolmentToken, s3Credentials } = readConfig(env);
  assert.deepEqual(
    [databaseUrl, adminPassword, enrolmentToken],
    [secrets.DATABASE_URL, secrets.PLATEN_ADMIN_PASSWORD, secrets.PLATEN_ENROLMENT_TOKEN],
  );
  assert.deepEqual(s3Credentials, {
    accessKeyId: secrets.AWS_ACCESS_KEY_ID,
    secretAccessKey: secrets.AWS_SECRET_ACCESS_KEY,
    sessionToken: secrets.AWS_SESSION_TOKEN,
  });
  assert.throws(() => readConfig({ ...env, DATABASE_URL: 'x' }), /either DATABASE_URL or DATABASE_URL_FILE/);
  assert.throws(() => readConfig({ DATABASE_URL_FILE: join(folder, 'none') }), /cannot be read: ENOENT/);
  await writeFile(env['PLATEN_ADMIN_PASSWORD_FILE']!, 'one\ntwo');
  assert.throws(
    () => readConfig(env),
    (error: Error) => /must contain one line/.test(error.message) && !/two/.test(error.message),
  );
});
