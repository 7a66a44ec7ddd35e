import { join } from 'node:path';
import type { RunningService } from '@platen/e2e/processes';

/** The PostgreSQL of a service, for a peer beside it: the one that DATABASE_URL names, or the embedded one. */
export function databaseUrl({ dataFolder }: RunningService): string {
  const embedded = `postgresql:///postgres?user=platen&host=${encodeURIComponent(join(dataFolder, 'postgres/run'))}`;
  return process.env['DATABASE_URL'] || embedded;
}
