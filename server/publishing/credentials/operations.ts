import type {
  Credential,
  CredentialChange,
  CredentialListQuery,
  CredentialType,
  NewCredential,
} from '@platen/contract/credentials';
import type { Deleted, Page } from '@platen/contract/schema';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { changedMeanwhile, Failure, invalidAt, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { isSameLogin, partsIn } from '../logins/parts.ts';
import { moveToTrash } from '../../base/trash/move-to-trash.ts';
import { requireUnusedCredential } from '../../files/used-by/in-use.ts';
import { requireFreeFolder } from './free-folder.ts';
import { loginAfter } from './login-of.ts';
import { credentialInOwnSpelling } from './spellings.ts';
import {
  deleteCredential,
  findCredential,
  findCredentialsOf,
  fromRow,
  insertCredential,
  updateCredential,
  type CredentialRow,
} from './store.ts';
import type { Target } from '../../base/database/schema.ts';
import { isOtherServer, targetFrom, targetNames } from './target-fields.ts';

interface CredentialPath {
  readonly projectId: string;
  readonly credentialId: string;
}

export function listCredentials(
  { db }: Context,
  projectId: string,
  query: CredentialListQuery,
): Promise<Page<Credential>> {
  return findCredentialsOf(db, projectId, query);
}

export async function createCredential(
  { db, secrets, settings, now }: Context,
  caller: Caller,
  { projectId, body }: { readonly projectId: string; readonly body: NewCredential },
): Promise<Credential> {
  const { name, description = '', type } = body;
  requirePossible(settings, type);
  const own = credentialInOwnSpelling(body, type);
  const target = targetFrom(type, {}, own);
  const at = now();
  const id = newId(at);
  return inTransaction(db, async (tx) => {
    await requireFreeFolder(tx, { projectId, type, target });
    const wanted = { id, type, body: own, stored: undefined, isOtherServer: false };
    const kept = await loginAfter({ db: tx, secrets }, caller, wanted);
    const fields = { id, projectId, name, description, type, target, ...kept };
    const row = await insertCredential(tx, { ...fields, by: caller.userId, now: at });
    await audit(tx, caller, { action: 'create', row, now: at });
    return fromRow(row);
  });
}

export async function getCredential(
  { db }: Context,
  { projectId, credentialId }: CredentialPath,
): Promise<Credential> {
  const row = await findCredential(db, projectId, credentialId);
  if (!row) throw notFound('credential');
  return fromRow(row);
}

export async function changeCredential(
  { db, secrets, settings, now }: Context,
  caller: Caller,
  {
    projectId,
    credentialId: id,
    body,
    ifMatch,
  }: CredentialPath & { readonly body: CredentialChange; readonly ifMatch: number | undefined },
): Promise<Credential> {
  return inTransaction(db, async (tx) => {
    const stored = await findCredential(tx, projectId, id, { lock: true });
    if (!stored) throw notFound('credential');
    if (ifMatch !== undefined && ifMatch !== stored.revision) throw changedMeanwhile();
    const { type } = stored;
    const own = credentialInOwnSpelling(body, type, fromRow(stored));
    requireFitting(type, own);
    if (isSameLogin(fromRow(stored), own)) return fromRow(stored);
    const target = targetFrom(type, stored.target, own);
    if (type === 'fs' && target.folder !== stored.target.folder) {
      requirePossible(settings, type);
      await requireFreeFolder(tx, { projectId, type, target });
    }
    const wanted = { id, type, body: own, stored, isOtherServer: isOtherServer(stored.target, target) };
    const kept = await loginAfter({ db: tx, secrets }, caller, wanted);
    const { name = stored.name, description = stored.description } = body;
    const write = { id, name, description, target, ...kept, by: caller.userId, now: now() };
    const row = await updateCredential(tx, write);
    await audit(tx, caller, { action: 'change', row, now: now() });
    return fromRow(row);
  });
}

/**
 * Moves credentials to the trash, still encrypted. @throws Failure `conflict` if tasks publish with them, unless
 * forced
 */
export async function removeCredential(
  { db, now }: Context,
  caller: Caller,
  { projectId, credentialId: id, force }: CredentialPath & { readonly force: boolean },
): Promise<Credential & Deleted> {
  return inTransaction(db, async (tx) => {
    const row = await findCredential(tx, projectId, id, { lock: true });
    if (!row) throw notFound('credential');
    if (!force) await requireUnusedCredential(tx, id);
    const at = now();
    // their creator has no special rights: restoring requires editProject, as deleting does
    const what = { type: 'credential', projectId, resourceId: id, name: row.name, ownerId: '' } as const;
    const entry = { ...what, by: caller.userId, now: at };
    const numberOfDeletedItems = await moveToTrash(tx, entry, () => deleteCredential(tx, id));
    await audit(tx, caller, { action: 'delete', row, now: at });
    return { ...fromRow(row), numberOfDeletedItems };
  });
}

function requirePossible({ publishFolder }: Context['settings'], type: CredentialType): void {
  if (type !== 'fs' || publishFolder !== undefined) return;
  throw new Failure(
    'unprocessable',
    '/type: This service cannot publish to folders. Its operator has not set PLATEN_PUBLISH_FOLDER.',
  );
}

const loginNames = {
  fs: [],
  ftp: ['username', 'password', 'loginCredentialId'],
  sftp: ['username', 'password', 'privateKey', 'passphrase', 'loginCredentialId'],
  s3: ['accessKeyId', 'secretAccessKey', 'sessionToken', 'loginCredentialId'],
} as const;

/** Accepts unchanged fields of a GET response, and rejects fields of other types. */
function requireFitting(type: CredentialType, body: CredentialChange): void {
  if (body.type !== undefined && body.type !== type)
    throw invalidAt('/type', `The type must stay ${type}. Create other credentials.`);
  const known = new Set<string>([...targetNames[type], ...loginNames[type]]);
  const others = [
    ...Object.values(targetNames).flat(),
    ...Object.keys(partsIn(body)),
    'loginCredentialId',
    'noTLS',
    'loginId',
  ];
  const other = others.find((name) => body[name as keyof CredentialChange] !== undefined && !known.has(name));
  if (other !== undefined)
    throw invalidAt(`/${other}`, `Credentials of the type ${type} have no such field.`, 'unknown');
}

interface Event {
  readonly action: 'create' | 'change' | 'delete';
  readonly row: CredentialRow;
  readonly now: Date;
}

async function audit(tx: Db, caller: Caller, { action, row, now }: Event): Promise<void> {
  const { id: targetId, project_id: projectId, name, type, login_credential_id: loginCredentialId } = row;
  const detail = {
    name,
    type,
    ...placeOf(row.target),
    ...(loginCredentialId !== null && { loginCredentialId }),
  };
  await recordAudit(tx, { now, caller, action: `credential.${action}`, projectId, targetId, detail });
}

function placeOf({ host, port, endpoint, bucket, folder, prefix }: Target): Target {
  return Object.fromEntries(
    Object.entries({ host, port, endpoint, bucket, folder, prefix }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}
