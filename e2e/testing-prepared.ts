import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../server/base/database/embedded/embedded-postgres.ts';

/** Names a database folder with all migrations and the first administrator, which nobody uses: to copy it is quicker than to make one. */
export const preparedVariable = 'PLATEN_TEST_PREPARED';

/** Copies the prepared folder, unless there is already a database or nothing to copy. */
export async function copyPrepared(dataDir: string): Promise<void> {
  const prepared = process.env[preparedVariable];
  if (prepared === undefined || existsSync(join(dataDir, 'pgdata'))) return;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await cp(join(prepared, 'pgdata'), join(dataDir, 'pgdata'), { recursive: true });
}

/** An embedded server of its own, for services that share it. */
export async function startPreparedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  await copyPrepared(dataDir);
  return startEmbeddedPostgres({ dataDir, log: () => {} });
}
