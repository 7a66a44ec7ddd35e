import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Client } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import { openFsStore } from '@platen/storage/fs';
import type { ObjectStore } from '@platen/storage/object-store';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createApp } from './app.ts';
import { ensureFirstAdmin } from './identity/first-admin.ts';
import { defaultSettings, type Settings } from './base/config.ts';
import { openRepeatedAudit } from './base/audit/repeated-audit.ts';
import type { Context } from './base/context.ts';
import { openDatabase } from './base/database/database.ts';
import { startEmbeddedPostgres } from './base/database/embedded/embedded-postgres.ts';
import { openLookups } from './base/database/lookups.ts';
import { migrate } from './base/database/migrate.ts';
import { listenForNotifications } from './base/database/notifications.ts';
import { ensureBuiltInRoles } from './identity/iam/roles.ts';
import { createParserPool, defaultParserOptions } from './base/parsers/parser-pool.ts';
import { secretsWith } from './base/secrets/secrets.ts';
import { databaseAt, runStatement, templateVariable } from './testing-template.ts';
import { afterFile } from '../checks/clean-up.ts';

export type ApiClient = Client<typeof apiEndpoints>;

export const adminPassword = 'correct horse battery';

/** Shared by all files of a process. */
const log = pino({ level: process.env['PLATEN_LOG_LEVEL'] ?? 'error' });
/** They stay, as each takes longer to start than to parse. */
const parsers = createParserPool(log, { ...defaultParserOptions, idleMs: 600_000 });

/** The server for this test file: that of PLATEN_TEST_DATABASE_URL, or an embedded one. */
const serverUrl = startDatabaseServer();

/** The minimum that argon2id allows. */
const cheapPasswords = { memory: 8, passes: 1 };

/** A password may not contain the name of its user. */
export const passwordOf = (name: string): string => `password of ${name.slice(0, 3)}`;

export interface TestService {
  readonly app: FastifyInstance;
  readonly context: Context;
  /** The first super user, signed in. */
  readonly admin: ApiClient;
  readonly adminId: string;
  readonly adminToken: string;
  readonly dataFolder: string;
  readonly databaseUrl: string;
  /** A client with a token, or without one. */
  as(token?: string): ApiClient;
  /** A new user, signed in. */
  user(name: string): Promise<{ id: string; token: string; client: ApiClient }>;
}

interface Options {
  readonly settings?: Partial<Settings>;
  readonly now?: () => Date;
  /** undefined: a random one. */
  readonly secretKeys?: readonly Buffer[];
  /** By default files are kept in this folder. */
  readonly openStore?: (folder: string) => Promise<ObjectStore>;
}

/** The real service on an empty database and folder, called by the real client without a network. */
export async function startService({
  settings = {},
  now = () => new Date(),
  secretKeys = [randomBytes(32)],
  openStore = openFsStore,
}: Options = {}): Promise<TestService> {
  const allSettings = {
    ...defaultSettings,
    inspectUploads: false,
    passwordCost: cheapPasswords,
    ...settings,
  };
  const url = await createDatabase(process.env[templateVariable]);
  const dataFolder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const db = openDatabase(url, { maxConnections: 8 });
  await migrate(db);
  await ensureBuiltInRoles(db, now());
  const first = { username: 'admin', password: adminPassword, now: now() };
  await ensureFirstAdmin(db, first, allSettings);
  const notifications = await listenForNotifications(url, db);
  const lookups = openLookups(url);
  const context: Context = {
    db,
    lookups,
    store: await openStore(join(dataFolder, 'objects')),
    notifications,
    parsers,
    secrets: secretsWith(secretKeys),
    settings: allSettings,
    repeatedAudit: openRepeatedAudit(db, log),
    log,
    now,
    databaseClockOffsetMs: () => now().getTime() - Date.now(),
  };
  const app = await createApp(context);
  afterFile(async () => {
    await app.close();
    await notifications.close();
    await lookups.close();
    await db.destroy();
    await rm(dataFolder, { recursive: true, force: true });
  });
  const as = (token?: string) =>
    createClient(apiEndpoints, { baseUrl: '', send: sendTo(app), ...(token !== undefined && { token }) });
  const logIn = (username: string, password: string) => as().postLogin({ body: { username, password } });
  const { _id: adminId, token: adminToken } = await logIn('admin', adminPassword);
  const admin = as(adminToken);
  const user = async (name: string) => {
    const password = passwordOf(name);
    const { _id: id } = await admin.postUser({ body: { username: name, password } });
    const { token } = await logIn(name, password);
    return { id, token, client: as(token) };
  };
  return { app, context, admin, adminId, adminToken, dataFolder, databaseUrl: url, as, user };
}

/** Another replica of a service, on the same database and folder. */
export async function startReplica(context: Context): Promise<FastifyInstance> {
  const replica = await createApp(context);
  afterFile(() => replica.close());
  return replica;
}

/** `fetch` without a network: passes requests directly to the app. */
export function sendTo(app: FastifyInstance): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    const request = new Request(new URL(url, 'http://localhost'), init);
    const payload = init?.body ? Buffer.from(await request.arrayBuffer()) : undefined;
    const { rawPayload, statusCode, headers } = await app.inject({
      method: request.method,
      url,
      headers: Object.fromEntries(request.headers),
      ...(payload && { payload }),
    } as InjectOptions);
    const flat = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((text): [string, string] => [name, String(text)]),
    );
    const bodyless = statusCode === 204 || statusCode === 304;
    return new Response(bodyless ? null : new Uint8Array(rawPayload), { status: statusCode, headers: flat });
  };
}

async function startDatabaseServer(): Promise<string> {
  const given = process.env['PLATEN_TEST_DATABASE_URL'];
  if (given) return given;
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-test-pg-'));
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log: () => {} });
  afterFile(async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return url;
}

/** Creates a database for this test file, empty or a copy. */
export async function createDatabase(template?: string): Promise<string> {
  const url = await serverUrl;
  const name = `platen_test_${randomUUID().replaceAll('-', '')}`;
  await runStatement(
    url,
    `create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`,
  );
  // an embedded server is removed with all its databases
  if (process.env['PLATEN_TEST_DATABASE_URL'])
    afterFile(() => drop(() => runStatement(url, `drop database ${name} with (force)`)));
  return databaseAt(url, name);
}

/** Retries while autovacuum works in the database, which only a superuser could stop. */
async function drop(attempt: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if ((error as { code?: string }).code !== '42501' || tries === 50) throw error;
      await sleep(200);
    }
  }
}

/**
 * Digest of all row versions (PostgreSQL stores a transaction number with each), which changes whenever a row is
 * inserted, changed or deleted. Excludes rows that a refused request may leave behind.
 */
export async function digestOf({ db }: Context): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'
    and tablename not in ('login_failure', 'audit_entry', 'token') order by 1`.execute(db);
  const versions = tables.map(
    ({ name }) => sql`select ${sql.lit(name)}::text as name, count(*) as rows,
      coalesce(sum(xmin::text::bigint), 0)::text as versions from ${sql.raw(name)}`,
  );
  const { rows } = await sql`${sql.join(versions, sql` union all `)}`.execute(db);
  return rows.map((row) => JSON.stringify(row)).join('\n');
}
