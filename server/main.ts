import { pino } from 'pino';
import { environment } from './base/environment.ts';
import { readConfig } from './base/config.ts';
import { startDatabase } from './base/database/start-database.ts';

/** Prints a line for the person at the terminal; the log is JSON on stderr. */
const say = (line: string) => process.stdout.write(`${line}\n`);
const stopLimitMs = 30_000;

try {
  const config = readConfig(environment);
  const log = pino(
    { level: config.logLevel ?? (process.stderr.isTTY ? 'warn' : 'info') },
    pino.destination({ dest: 2, sync: true }),
  );
  const database = startDatabase(config, (message) => log.info(message));
  await database.spawned;
  const { startService } = await import('./service.ts'); // while PostgreSQL starts
  const service = await startService(config, log, database.ready);
  say(`Platen is ready: ${service.address}`);
  if (service.firstPassword !== undefined) {
    say(`First login: ${config.adminUsername} / ${service.firstPassword}   (shown only once)`);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));
  void service.broken.then((reason) => {
    log.fatal(reason);
    return exit(1);
  });

  const stop = async (signal: string) => {
    log.info(`${signal}: stopping`);
    setTimeout(() => exit(1), stopLimitMs).unref();
    await service.stop();
    exit(0);
  };
} catch (error) {
  process.stderr.write(`Platen could not start: ${(error as Error).message}\n`);
  if (environment['PLATEN_LOG_LEVEL'] === 'debug') process.stderr.write(`${(error as Error).stack}\n`);
  exit(1);
}

function exit(code: number): never {
  process.exit(code);
}
