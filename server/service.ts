import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openStore } from '@platen/storage/open';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { startAuditFlush } from './identity/audit/flush.ts';
import { ensureFirstAdmin } from './identity/first-admin.ts';
import type { Config } from './base/config.ts';
import type { Context } from './base/context.ts';
import { openRepeatedAudit } from './base/audit/repeated-audit.ts';
import { requireSchema } from './base/database/check-schema.ts';
import { openDatabase } from './base/database/database.ts';
import { openLookups } from './base/database/lookups.ts';
import { migrate } from './base/database/migrate.ts';
import type { ReadyDatabase } from './base/database/start-database.ts';
import { listenForNotifications } from './base/database/notifications.ts';
import { ensureBuiltInRoles } from './identity/iam/roles.ts';
import { hashSecret } from './base/secrets/bearer-secrets.ts';
import { startCounterUpdates } from './jobs/counters.ts';
import { measureRequests } from './base/metrics/metrics.ts';
import { startEmbeddedRunners } from './jobs/runners/embedded-runners.ts';
import { setEnrolmentToken } from './jobs/runners/enrolment-store.ts';
import { startAskingAddresses } from './datasources/facts/ask-addresses.ts';
import { startReleaseScheduler } from './apps/releases/scheduler.ts';
import { startCleaner } from './project/retention/cleaner.ts';
import { createParserPool, defaultParserOptions } from './base/parsers/parser-pool.ts';
import { detectParserConfinement } from './base/parsers/parser-process.ts';
import { readKeys } from './base/secrets/keys.ts';
import { checkKeys } from './base/secrets/known-keys.ts';
import { secretsWith } from './base/secrets/secrets.ts';
import { startScheduler } from './jobs/tasks/scheduler.ts';

export interface Service {
  /** The address for clients. */
  readonly address: string;
  /** The generated password of the first administrator, if one was just created. */
  readonly firstPassword: string | undefined;
  /** Resolves with a reason when the service cannot continue. */
  readonly broken: Promise<string>;
  /** Finishes open requests, then stops all parts. */
  stop(): Promise<void>;
}

type StopStep = () => Promise<unknown>;

/**
 * Starts all parts of a service in order, and stops them in reverse order, the database last.
 * @param database may still be starting
 */
export async function startService(
  config: Config,
  log: Logger,
  database: Promise<ReadyDatabase>,
): Promise<Service> {
  const stopSteps: StopStep[] = [async () => (await database.catch(() => undefined))?.stop()];
  const stop = async () => {
    for (const end of stopSteps.splice(0).toReversed()) {
      await end().catch((error: unknown) => log.error({ err: error }, 'a part did not stop cleanly'));
    }
  };
  try {
    const secrets = secretsWith(await readKeys(config));
    const { url, broken } = await database;
    const parts = await startParts(config, { log, secrets, url }, (end) => stopSteps.push(end));
    return { ...parts, broken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  config: Config,
  { log, secrets, url }: Pick<Context, 'log' | 'secrets'> & { readonly url: string },
  atEnd: (end: StopStep) => void,
): Promise<Omit<Service, 'broken' | 'stop'>> {
  const confinement = detectParserConfinement();
  const now = () => new Date();
  const db = openDatabase(url);
  atEnd(() => db.destroy());
  await migrate(db);
  await requireSchema(db);
  await ensureBuiltInRoles(db, now());
  const { adminUsername: username, adminPassword: password } = config;
  const generated = await ensureFirstAdmin(db, { username, password, now: now() }, config.settings);
  const notifications = await listenForNotifications(url, db);
  atEnd(() => notifications.close());
  const lookups = openLookups(url);
  atEnd(() => lookups.close());
  const store = await openStore(config.storage, (line) => log.warn(line), config.s3Credentials);
  const parsers = createParserPool(log, { ...defaultParserOptions, confinement: await confinement });
  atEnd(async () => parsers.close());
  const context: Context = {
    db,
    lookups,
    store,
    notifications,
    parsers,
    secrets,
    repeatedAudit: openRepeatedAudit(db, log),
    settings: config.settings,
    log,
    now,
    databaseClockOffsetMs: () => 0,
  };
  atEnd(startAuditFlush(context)); // ends after the last request
  await checkKeys(context);
  const app = await createApp(context);
  const metrics = measureRequests(app, context);
  atEnd(() => app.close());
  const address = await listen(app, config);
  if (config.metricsPort > 0) {
    const server = await metrics.listen(config.host, config.metricsPort);
    atEnd(async () => server.close());
  }
  await startBackground(context, config, localAddress(app, config), atEnd);
  return { address, firstPassword: config.adminPassword === undefined ? generated : undefined };
}

/** Starts background work: the scheduler, clean-ups and embedded runners. */
async function startBackground(
  context: Context,
  config: Config,
  url: string,
  atEnd: (end: StopStep) => void,
) {
  const scheduler = startScheduler(context);
  atEnd(() => scheduler.stop());
  atEnd(startCleaner(context));
  atEnd(startReleaseScheduler(context));
  atEnd(startAskingAddresses(context));
  atEnd(startCounterUpdates(context));
  const { enrolmentToken } = config;
  await setEnrolmentToken(context.db, enrolmentToken === undefined ? undefined : hashSecret(enrolmentToken));
  const scratchFolder = join(config.dataFolder, 'scratch');
  const { runners: count, jobLimits: limits } = config;
  const { publishFolder, geoidFolder, fetchAllow } = config.settings;
  const runners = await startEmbeddedRunners(context, {
    count,
    url,
    scratchFolder,
    fetchAllow,
    publishFolder,
    geoidFolder,
    limits,
  });
  atEnd(() => runners.stop());
}

async function listen(app: FastifyInstance, { host, port, settings }: Config): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} of ${host} is already in use. Choose another one with PLATEN_PORT.`, {
      cause: error,
    });
  }
  return settings.baseUrl ?? localAddress(app, { host });
}

/** The address of the service on this machine. */
function localAddress(app: FastifyInstance, { host }: Pick<Config, 'host'>): string {
  const { port } = app.server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}
