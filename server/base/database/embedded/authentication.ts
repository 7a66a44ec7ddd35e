import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLE, SUPERUSER } from './cluster.ts';
import { clientName, type Identity } from './identity.ts';

const MAP = 'service';

/**
 * Writes who may connect: the user of this service and root, who could become it, by what the kernel says about the
 * other end of the socket. The files are outside of the cluster and belong to the service, so that PostgreSQL cannot
 * change them, and clusters of earlier versions, which trusted everybody at the socket, are covered.
 * @returns settings of PostgreSQL
 */
export async function writeAuthentication(root: string, identity: Identity): Promise<Record<string, string>> {
  const [hba, ident] = [join(root, 'pg_hba.conf'), join(root, 'pg_ident.conf')];
  const name = clientName(identity);
  // in a user namespace, all users outside look like nobody: then only the folder of the socket keeps others out
  const clients = name === undefined ? ['/.*'] : [...new Set([name, 'root'])].map(quoted);
  const lines = clients.flatMap((client) => [ROLE, SUPERUSER].map((role) => `${MAP} ${client} ${role}\n`));
  const contents = { [hba]: `local all all peer map=${MAP}\n`, [ident]: lines.join('') };
  for (const [path, text] of Object.entries(contents)) {
    await writeFile(path, text);
    await chmod(path, 0o644); // independent of the umask: PostgreSQL may be another user
  }
  return { hba_file: hba, ident_file: ident };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
