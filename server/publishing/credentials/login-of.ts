import type { CredentialType } from '@platen/contract/credentials';
import type { LoginFacts, LoginType } from '@platen/contract/login-credentials';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure, invalidAt, unusableAt } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import {
  factsOf,
  mergeParts,
  openParts,
  partsIn,
  requireWhole,
  sealParts,
  type LoginParts,
} from '../logins/parts.ts';
import { findLogin } from '../logins/store.ts';
import { ownerOf } from '../../base/secrets/reencrypt-secrets.ts';
import type { CredentialRow } from './store.ts';

/** The login of a credential as it is stored. */
export interface KeptLogin {
  readonly login: LoginFacts;
  readonly secret: Buffer | null;
  readonly loginCredentialId: string | null;
}

export const noLogin: KeptLogin = { login: {}, secret: null, loginCredentialId: null };

type GivenLogin = Parameters<typeof partsIn>[0] & {
  readonly name?: string;
  readonly loginCredentialId?: string | null;
};

interface LoginChange {
  readonly id: string;
  readonly type: CredentialType;
  readonly body: GivenLogin;
  /** undefined: they are new. */
  readonly stored: CredentialRow | undefined;
  /** The credential leads to another server than before, which must not receive another user's secret. */
  readonly isOtherServer: boolean;
}

const loginTypesFor: Readonly<Record<Exclude<CredentialType, 'fs'>, readonly LoginType[]>> = {
  s3: ['aws'],
  ftp: ['userPassword'],
  sftp: ['userPassword', 'sshKey'],
};

/** The login after a change. @throws Failure `invalid`, `unusable_reference` */
export async function loginAfter(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  caller: Caller,
  wanted: LoginChange,
): Promise<KeptLogin> {
  const { id, type, body, stored, isOtherServer } = wanted;
  if (type === 'fs') return noLogin;
  const given = partsIn(body);
  const isGiven = Object.values(given).some((value) => value !== null);
  const { loginCredentialId = isGiven ? null : (stored?.login_credential_id ?? null) } = body;
  if (loginCredentialId !== null) {
    if (isGiven) throw invalidAt('/loginCredentialId', 'Send either a login or the ID of one.', 'invalid');
    const isKept = stored?.login_credential_id === loginCredentialId && !isOtherServer;
    if (!isKept) await requireOwn(db, caller, { type, loginCredentialId });
    return { ...noLogin, loginCredentialId };
  }
  if (stored && Object.keys(given).length === 0 && !isOtherServer) {
    const { login, secret, login_credential_id: former } = stored;
    if (former === null) return { login, secret, loginCredentialId: null };
  }
  if (isOtherServer) requireSecretIn(given);
  const parts = mergeParts(isOtherServer ? plainOf(stored) : storedParts(secrets, stored), given);
  requireWhole(type, parts);
  return {
    login: factsOf(parts),
    secret: sealParts(secrets, parts, ownerOf.credential(id)),
    loginCredentialId: null,
  };
}

async function requireOwn(
  db: Db,
  caller: Caller,
  { type, loginCredentialId }: { type: Exclude<CredentialType, 'fs'>; loginCredentialId: string },
): Promise<void> {
  const row = await findLogin(db, loginCredentialId);
  const pointer = '/loginCredentialId';
  if (row?.user_id !== caller.userId)
    throw unusableAt(pointer, 'You have no such login. Only its owner may give it to credentials.');
  const types = loginTypesFor[type];
  if (!types.includes(row.type))
    throw unusableAt(
      pointer,
      `The login has the type ${row.type}. Credentials of the type ${type} need ${types.join(' or ')}.`,
    );
}

function requireSecretIn(given: ReturnType<typeof partsIn>): void {
  const { password, privateKey, secretAccessKey } = given;
  if ([password, privateKey, secretAccessKey].some((secret) => typeof secret === 'string')) return;
  const detail = 'The server has changed. Send the login again, or the ID of one of your logins.';
  throw invalidAt('/loginCredentialId', detail, 'loginNeeded');
}

function plainOf(stored: CredentialRow | undefined): LoginParts {
  const { username, accessKeyId } = stored?.login ?? {};
  return { ...(username !== undefined && { username }), ...(accessKeyId !== undefined && { accessKeyId }) };
}

/** If no key can decrypt the login, all of it must be entered again. */
function storedParts(secrets: Context['secrets'], stored: CredentialRow | undefined): LoginParts {
  if (!stored?.secret) return plainOf(stored);
  const { id, login, secret } = stored;
  try {
    return openParts(secrets, { login, secret }, ownerOf.credential(id));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return plainOf(stored);
  }
}
