import { userInfo } from 'node:os';
import { join } from 'node:path';
import { userOfFolder } from '@platen/confinement/reserved-users';
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
const NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'];

/**
 * PostgreSQL refuses uid 0. As root, it runs as a user that no other process has (as nobody where that is impossible) or,
 * if others cannot reach the folder, as ourselves under another uid inside a user namespace.
 * @throws if the binaries cannot be run in any of these ways
 */
export async function chooseIdentity(root: string, bin: string): Promise<Identity> {
  const failures: string[] = [];
  if (process.getuid?.() === 0) await allowTraversal(root); // sensitive folders inside are 0700
  for (const identity of await possibleIdentities(root)) {
    const failure = await failureOf(identity, [join(bin, 'postgres'), '--version']);
    if (failure === undefined) return identity;
    failures.push(`as ${identity.name}: ${failure}`);
  }
  throw new Error(
    `PostgreSQL cannot be run from ${bin} (${failures.join('; ')}). Run the service as an ordinary user, ` +
      'move the data folder to a place that other users can enter, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/**
 * initdb refuses a uid without a passwd entry. A user namespace gives it that of nobody, with files of the same owner;
 * without namespaces it runs as nobody, and the cluster is handed over before it is used.
 */
export async function identityForInitdb(identity: Identity): Promise<Identity> {
  if (identity.uid === undefined) return identity;
  const namespaced = { ...identity, prefix: NAMESPACE };
  return (await failureOf(namespaced, ['true'])) === undefined ? namespaced : nobody;
}

/** The name of the user that may connect; undefined if PostgreSQL sees all users as the same. */
export function clientName({ prefix }: Identity): string | undefined {
  return prefix.length > 0 ? undefined : ownName();
}

async function failureOf(identity: Identity, command: readonly string[]): Promise<string | undefined> {
  try {
    const options = { env: CHILD_ENVIRONMENT, cwd: '/', ...userOf(identity) };
    await runCommand('/usr/bin/env', [...identity.prefix, ...command], options);
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return stderr?.trim() || message;
  }
}

/** The options of an identity for spawn. */
export function userOf({ uid, gid }: Identity): { uid?: number; gid?: number } {
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
}

const nobody: Identity = { name: 'nobody', prefix: [], uid: NOBODY, gid: NOBODY };

async function possibleIdentities(root: string): Promise<Identity[]> {
  const namespace: Identity = { name: 'user namespace', prefix: NAMESPACE };
  if (process.getuid?.() !== 0)
    return ownName() === undefined ? [namespace] : [{ name: 'same user', prefix: [] }];
  const user = await userOfFolder('database', root);
  const own = user === undefined ? nobody : { name: `user ${user}`, prefix: [], uid: user, gid: user };
  return [own, namespace];
}

/** @returns undefined without a passwd entry */
function ownName(): string | undefined {
  try {
    return userInfo().username || undefined;
  } catch {
    return undefined;
  }
}
