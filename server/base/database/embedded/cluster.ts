import { mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, giveTo, ignore, remove, requireSpace, syncFolder, type Log } from './files.ts';
import { identityForInitdb, type Identity } from './identity.ts';
import type { Runtime } from './runtime.ts';
import { runTied } from './tied-process.ts';

/** A database cluster on disk, and what is needed to run it. */
export interface Cluster {
  /** The data folder as a path without links. */
  root: string;
  /** The folder of the database in it. */
  pgdata: string;
  runtime: Runtime;
  identity: Identity;
  log: Log;
  /** Called when a server process has been started. */
  onSpawn?: (() => void) | undefined;
}

/** The service's role: owner of its database and no superuser, so that SQL cannot reach files or programs. */
export const ROLE = 'platen';
/** For operators; the service does not use it. */
export const SUPERUSER = 'postgres';
export const DATABASE = 'postgres';

const INITDB_BYTES = 128 * 1024 * 1024;
const ROLE_SQL = `create role ${ROLE} login createdb; alter database ${DATABASE} owner to ${ROLE};\n`;

/**
 * Creates the cluster if it is missing, and checks that this PostgreSQL can read it. It is created under another name
 * and then renamed, so that a folder called pgdata is always complete.
 * @throws if initdb fails, or the data are from another major version or not a cluster
 */
export async function prepareCluster(cluster: Cluster): Promise<void> {
  if (!(await exists(cluster.pgdata))) await createCluster(cluster);
  await checkVersion(cluster);
  await giveTo(cluster.identity, cluster.pgdata); // an earlier run may have had another identity
}

async function createCluster({ root, pgdata, runtime, log, ...cluster }: Cluster): Promise<void> {
  const identity = await identityForInitdb(cluster.identity);
  await requireSpace(root, INITDB_BYTES);
  for (const name of await readdir(root)) if (name.startsWith('initdb-')) await remove(join(root, name));
  const draft = await mkdtemp(join(root, 'initdb-'));
  try {
    await giveTo(identity, draft);
    log('creating the database cluster');
    // The builtin provider sorts by code point and does not depend on glibc or ICU, so a system upgrade cannot corrupt
    // indexes. ICU collations stay available per column.
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const options = ['-U', SUPERUSER, '-A', 'peer', '-E', 'UTF8', '--data-checksums', '--no-instructions'];
    const command = [join(runtime.bin, 'initdb'), '-D', draft, ...options, ...locale];
    await runTied('initdb', { identity, command });
    await createRole(draft, runtime, identity);
    await rename(draft, pgdata);
  } catch (error) {
    await remove(draft);
    throw error;
  }
  await syncFolder(root);
}

/** Uses single-user mode, so that the role exists before the folder gets its final name. */
async function createRole(draft: string, runtime: Runtime, identity: Identity): Promise<void> {
  const input = join(draft, 'role.sql');
  await writeFile(input, ROLE_SQL);
  await giveTo(identity, input);
  const mode = ['--single', '-j', '-c', 'exit_on_error=on', '-D', draft, DATABASE];
  await runTied('creating the role', { identity, input, command: [join(runtime.bin, 'postgres'), ...mode] });
  await remove(input);
}

async function checkVersion({ pgdata, runtime }: Cluster): Promise<void> {
  const found = (await readFile(join(pgdata, 'PG_VERSION'), 'utf8').catch(ignore('ENOENT')))?.trim();
  if (found === runtime.major) return;
  if (!found) {
    throw new Error(
      `${pgdata} is not a PostgreSQL data folder (no PG_VERSION); move it away or restore it from a backup.`,
    );
  }
  throw new Error(
    `${pgdata} contains data of PostgreSQL ${found}, but this service includes PostgreSQL ${runtime.major}. ` +
      'Migrate the data first.',
  );
}
