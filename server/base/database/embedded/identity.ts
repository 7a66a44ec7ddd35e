import { userInfo } from 'node:os';
import { join } from 'node:path';
import { CHILD_ENVIRONMENT, allowTraversal, runCommand } from './files.ts';

/** The user that PostgreSQL runs as, since it refuses to run as root. */
export interface Identity {
  name: string;
  /** A command that runs the command that follows it. */
  prefix: string[];
  uid?: number;
  gid?: number;
}

const NOBODY = 65534;

/**
 * PostgreSQL refuses uid 0, and initdb a uid without a passwd entry. As root, it runs as nobody or, if nobody cannot
 * reach the folder, as ourselves under another uid inside a user namespace.
 * @throws if the binaries cannot be run in any of these ways
 */
export async function chooseIdentity(root: string, bin: string): Promise<Identity> {
  const failures: string[] = [];
  if (process.getuid?.() === 0) await allowTraversal(root); // sensitive folders inside are 0700
  for (const identity of possibleIdentities()) {
    try {
      await runCommand('/usr/bin/env', [...identity.prefix, join(bin, 'postgres'), '--version'], {
        env: CHILD_ENVIRONMENT,
        cwd: '/',
        ...userOf(identity),
      });
      return identity;
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      failures.push(`as ${identity.name}: ${stderr?.trim() || message}`);
    }
  }
  throw new Error(
    `PostgreSQL cannot be run from ${bin} (${failures.join('; ')}). Run the service as an ordinary user, ` +
      'move the data folder to a place that user nobody can reach, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/** The options of an identity for spawn. */
export function userOf({ uid, gid }: Identity): { uid?: number; gid?: number } {
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
}

function possibleIdentities(): Identity[] {
  const namespace: Identity = {
    name: 'user namespace',
    prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'],
  };
  if (process.getuid?.() === 0) return [{ name: 'nobody', prefix: [], uid: NOBODY, gid: NOBODY }, namespace];
  return hasPasswdEntry() ? [{ name: 'same user', prefix: [] }] : [namespace];
}

function hasPasswdEntry(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}
