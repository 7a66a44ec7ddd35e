import type {
  LoginCredential,
  LoginCredentialChange,
  LoginCredentialListQuery,
  NewLoginCredential,
} from '@platen/contract/login-credentials';
import type { Deleted, Page } from '@platen/contract/schema';
import { recordLimitedChange } from '../../base/audit/limit-changes.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { changedMeanwhile, Failure, invalidAt, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { ownerOf } from '../../base/secrets/reencrypt-secrets.ts';
import {
  factsOf,
  mergeParts,
  openParts,
  isSameLogin,
  partsIn,
  requireWhole,
  sealParts,
  type LoginParts,
} from './parts.ts';
import { loginInOwnSpelling } from './spellings.ts';
import {
  countLogins,
  countUses,
  deleteLogin,
  findLogin,
  findLogins,
  fromRow,
  insertLogin,
  updateLogin,
  type LoginRow,
} from './store.ts';

export function listLogins(
  { db }: Context,
  caller: Caller,
  query: LoginCredentialListQuery,
): Promise<Page<LoginCredential>> {
  return findLogins(db, query, caller);
}

/** Maximum of a user; every user may store logins, also without a project. */
const maxLogins = 100;

/** @throws Failure `conflict` if the user has as many logins as they may have */
export async function createLogin(
  { db, secrets, now }: Context,
  caller: Caller,
  body: NewLoginCredential,
): Promise<LoginCredential> {
  const { name, description = '', type } = body;
  const at = now();
  const id = newId(at);
  const parts = mergeParts({}, partsIn(loginInOwnSpelling(body, type)));
  requireWhole(type, parts);
  const fields = { id, name, description, type, login: factsOf(parts), by: caller.userId, now: at };
  const secret = sealParts(secrets, parts, ownerOf.login(id));
  return inTransaction(db, async (tx) => {
    if ((await countLogins(tx, caller.userId)) >= maxLogins)
      throw new Failure('conflict', `You have ${maxLogins} logins, which is the limit. Delete one of them.`);
    const row = await insertLogin(tx, { ...fields, secret });
    const detail = { name, type };
    await recordLimitedChange(tx, {
      now: at,
      caller,
      action: 'loginCredential.create',
      targetId: id,
      detail,
    });
    return fromRow(row, caller.userId);
  });
}

export async function getLogin({ db }: Context, caller: Caller, id: string): Promise<LoginCredential> {
  const row = await findLogin(db, id);
  if (!row || (row.user_id !== caller.userId && !caller.isSuperUser)) throw notFound('login');
  return fromRow(row, caller.userId);
}

interface LoginVersion {
  readonly id: string;
  readonly ifMatch: number | undefined;
}

export async function changeLogin(
  { db, secrets, now }: Context,
  caller: Caller,
  { body, ...wanted }: LoginVersion & { readonly body: LoginCredentialChange },
): Promise<LoginCredential> {
  return inTransaction(db, async (tx) => {
    const row = await lockOwn(tx, caller, wanted);
    const { id, name, description, type } = row;
    const own = loginInOwnSpelling(body, type, row.login);
    requireFitting(row, own);
    const stored = fromRow(row, caller.userId);
    if (isSameLogin(stored, own)) return stored;
    const given = partsIn(own);
    const isSame = Object.keys(given).length === 0;
    const parts = isSame ? undefined : mergeParts(storedParts({ secrets }, row), given);
    if (parts) requireWhole(type, parts);
    const changed = await updateLogin(tx, {
      id,
      name: body.name ?? name,
      description: body.description ?? description,
      login: parts ? factsOf(parts) : row.login,
      secret: parts && sealParts(secrets, parts, ownerOf.login(id)),
      by: caller.userId,
      now: now(),
    });
    const detail = { name: changed.name, type };
    await recordLimitedChange(tx, {
      now: now(),
      caller,
      action: 'loginCredential.change',
      targetId: id,
      detail,
    });
    return fromRow(changed, caller.userId);
  });
}

const partsOfType = {
  aws: ['accessKeyId', 'secretAccessKey', 'sessionToken'],
  userPassword: ['username', 'password'],
  sshKey: ['username', 'privateKey', 'passphrase'],
} as const;

function requireFitting({ type }: LoginRow, body: LoginCredentialChange): void {
  const known: readonly string[] = partsOfType[type];
  const other = Object.keys(partsIn(body)).find((name) => !known.includes(name));
  if (other !== undefined)
    throw invalidAt(`/${other}`, `A login of the type ${type} has no such field.`, 'unknown');
}

/** If no key can decrypt the login, all of it must be entered again. */
function storedParts({ secrets }: Pick<Context, 'secrets'>, row: LoginRow): LoginParts {
  try {
    return openParts(secrets, row, ownerOf.login(row.id));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { username, accessKeyId } = row.login;
    return { ...(username !== undefined && { username }), ...(accessKeyId !== undefined && { accessKeyId }) };
  }
}

/** @throws Failure `conflict` while credentials use it, unless forced */
export async function removeLogin(
  { db, now }: Context,
  caller: Caller,
  { force, ...wanted }: LoginVersion & { readonly force: boolean },
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    const { id, name, type } = await lockOwn(tx, caller, wanted);
    const uses = await countUses(tx, id);
    if (uses > 0 && !force)
      throw new Failure(
        'conflict',
        `${uses === 1 ? 'Credentials of a project use' : `${uses} credentials of projects use`} this login. Send force=true to delete it anyway.`,
      );
    const change = { by: caller.userId, now: now() };
    const numberOfDeletedItems = await deleteLogin(tx, id, change);
    const detail = { name, type, uses };
    await recordLimitedChange(tx, {
      now: now(),
      caller,
      action: 'loginCredential.delete',
      targetId: id,
      detail,
    });
    return { numberOfDeletedItems };
  });
}

/** @throws Failure `not_found` if it belongs to another user, `precondition_failed` */
async function lockOwn(tx: Db, caller: Caller, { id, ifMatch }: LoginVersion): Promise<LoginRow> {
  const row = await findLogin(tx, id, { lock: true });
  if (!row || (row.user_id !== caller.userId && !caller.isSuperUser)) throw notFound('login');
  if (row.user_id !== caller.userId)
    throw new Failure('forbidden', 'Only its owner may change or delete this login.');
  if (ifMatch !== undefined && ifMatch !== row.revision) throw changedMeanwhile();
  return row;
}
