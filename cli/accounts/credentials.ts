import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailure } from '../failures.ts';
import type { Streams } from '../terminal.ts';

/** How commands sign in to one service. */
export interface Account {
  readonly token: string;
  /** `login` tokens are revoked by `platen logout`; `access` tokens were created elsewhere. */
  readonly kind: 'login' | 'access';
  readonly username: string;
  /** When a login token expires, in ISO 8601. */
  readonly expires?: string;
}

/** The accounts of this computer user by address of the service. */
export interface Accounts {
  readonly default?: string;
  readonly services: Readonly<Record<string, Account>>;
}

type Environment = Streams['env'];

/** XDG base directory specification. */
export function accountsPath(env: Environment): string {
  return join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'platen/credentials.json');
}

/** @throws CommandFailure if other users can read the file, or it is broken */
export async function readAccounts(env: Environment): Promise<Accounts> {
  const path = accountsPath(env);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CommandFailure('failed', `${path} cannot be read (${error.code}).`);
  });
  if (text === undefined) return { services: {} };
  const isOpen = process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0;
  if (isOpen)
    throw new CommandFailure(
      'refused',
      `Other users can read ${path}, which contains tokens. Run: chmod 600 ${path}`,
    );
  try {
    const { default: main, services } = JSON.parse(text) as Accounts;
    return { ...(main !== undefined && { default: main }), services: { ...services } };
  } catch {
    throw new CommandFailure('failed', `${path} is not valid JSON. Delete it and sign in again.`);
  }
}

/** Replaces the file at once; only this user can read it at any time. */
export async function writeAccounts(env: Environment, accounts: Accounts): Promise<void> {
  const path = accountsPath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(accounts, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600); // a draft may have been left by another process of this number
  await rename(draft, path);
}
