// A stand-in for the service: `node testing-service.ts <data folder> [connections]` starts PostgreSQL, prints its
// address, and then inserts rows over that many connections, printing what was acknowledged.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const say = (line: string) => writeSync(1, `${line.replaceAll('\n', ' | ')}\n`);

const [dataDir = '', connections = '0'] = process.argv.slice(2);
try {
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log: (message) => say(`log ${message}`) });
  process.on('SIGTERM', () => void stop().then(() => process.exit(0)));
  say(`url ${url}`);
  if (connections !== '0') await insertForever(url, Number(connections));
} catch (error) {
  say(`fail ${(error as Error).message}`);
  process.exit(1);
}

async function insertForever(url: string, count: number): Promise<void> {
  const pool = new Pool({ connectionString: url, max: count });
  pool.on('error', () => {}); // stopped under load
  await pool.query('create table if not exists row (id uuid primary key, filler text)');
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (;;) {
        const id = randomUUID();
        await pool.query('insert into row values ($1, $2)', [id, 'x'.repeat(200)]).then(
          () => say(`ack ${id}`),
          () => sleep(10), // the server is being restarted
        );
      }
    }),
  );
}
