import {
  defaultTokenDays,
  type AccessToken,
  type AccessTokenListQuery,
  type NewAccessToken,
  type NewProjectToken,
  type ProjectToken,
  type ProjectTokenName,
  type TokenNameListQuery,
} from '@platen/contract/access-tokens';
import type { Deleted, Page } from '@platen/contract/schema';
import { limitChanges } from '../../base/audit/limit-changes.ts';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import { notify } from '../../base/database/notifications.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure, invalidAt, notFound, unusableAt } from '../../base/failure.ts';
import { newId } from '../../base/ids.ts';
import { hashSecret } from '../../base/secrets/bearer-secrets.ts';
import { authoriseInProject } from '../iam/authorise.ts';
import { hasFreshToken, provePassword, type PresentPassword } from '../users/change-password.ts';
import {
  countPersonalTokens,
  countProjectTokens,
  deletePersonalToken,
  deleteProjectToken,
  findPersonalTokens,
  findProjectTokens,
  findTokenNames,
  insertAccessToken,
  insertTokenAccount,
  newTokenSecret,
  noEnd,
} from './store.ts';

/** Valid tokens of a person, and of a project. */
const maxTokens = 100;
const dayMs = 24 * 3_600_000;

export function listPersonalTokens(
  { db, now }: Context,
  { userId }: Caller,
  query: AccessTokenListQuery,
): Promise<Page<AccessToken>> {
  return findPersonalTokens(db, userId, { query, now: now() });
}

export function listProjectTokens(
  { db, now }: Context,
  projectId: string,
  query: AccessTokenListQuery,
): Promise<Page<ProjectToken>> {
  return findProjectTokens(db, projectId, { query, now: now() });
}

export function listTokenNames(
  { db }: Context,
  projectId: string,
  query: TokenNameListQuery,
): Promise<Page<ProjectTokenName>> {
  return findTokenNames(db, projectId, query);
}

export async function createPersonalToken(
  context: Context,
  caller: Caller,
  { name, scope = 'read', lifetimeDays = defaultTokenDays, projectId, ...password }: NewAccessToken,
): Promise<AccessToken & { token: string }> {
  const { db, now, settings } = context;
  const { userId, address, userAgent } = caller;
  const at = now();
  await limitChanges(db, { userId, action: 'token.create', now: at });
  const expires = endOf(lifetimeDays, at, settings.maxTokenDays);
  await requireProof(context, caller, password);
  if (projectId !== undefined) await requireProject(context, caller, projectId);
  const token = newTokenSecret();
  const id = newId(at);
  await inTransaction(db, async (tx) => {
    requireFewer(await countPersonalTokens(tx, userId, at), 'You have');
    await insertAccessToken(tx, {
      hash: hashSecret(token),
      id,
      user_id: userId,
      name,
      scope,
      project_id: projectId ?? null,
      created_at: at,
      expires_at: expires,
      address,
      user_agent: userAgent,
    });
    const detail = { name, scope, ...endDetail(expires), ...(projectId !== undefined && { projectId }) };
    await recordAudit(tx, { now: at, caller, action: 'token.create', targetId: id, detail });
  });
  const shown = {
    _id: id,
    name,
    scope,
    createdAt: at.toISOString(),
    createdBy: userId,
    ...endDetail(expires),
  };
  return { ...shown, ...(projectId !== undefined && { projectId }), token };
}

/** Creates a token with an account of its own, so that it stays valid when its creator leaves. */
export async function createProjectToken(
  context: Context,
  caller: Caller,
  { projectId, body }: { readonly projectId: string; readonly body: NewProjectToken },
): Promise<ProjectToken & { token: string }> {
  const { db, now, settings } = context;
  const { name, scope = 'read', lifetimeDays = defaultTokenDays, roleId, ...password } = body;
  const { userId: by, address, userAgent } = caller;
  const at = now();
  await limitChanges(db, { userId: by, action: 'token.create', now: at });
  const expires = endOf(lifetimeDays, at, settings.maxTokenDays);
  await requireProof(context, caller, password);
  const token = newTokenSecret();
  const id = newId(at);
  const userId = newId(at);
  await inTransaction(db, async (tx) => {
    requireFewer(await countProjectTokens(tx, projectId, at), 'The project has');
    await insertTokenAccount(tx, { id: userId, projectId, name, roleId, now: at, by });
    await insertAccessToken(tx, {
      hash: hashSecret(token),
      id,
      user_id: userId,
      name,
      scope,
      project_id: projectId,
      created_at: at,
      expires_at: expires,
      address,
      user_agent: userAgent,
    });
    const detail = { name, scope, roleId, ...endDetail(expires) };
    await recordAudit(tx, { now: at, caller, action: 'token.create', projectId, targetId: id, detail });
  });
  const shown = { _id: id, userId, name, scope, roleId, createdAt: at.toISOString(), createdBy: by };
  return { ...shown, ...endDetail(expires), token };
}

export async function revokePersonalToken(
  { db, now }: Context,
  caller: Caller,
  id: string,
): Promise<Deleted> {
  await inTransaction(db, async (tx) => {
    const name = await deletePersonalToken(tx, caller.userId, id);
    if (name === undefined) throw notFound('access token');
    await recordAudit(tx, { now: now(), caller, action: 'token.revoke', targetId: id, detail: { name } });
    await notify(tx, 'accessChanged');
  });
  return { numberOfDeletedItems: 1 };
}

export async function revokeProjectToken(
  { db, now }: Context,
  caller: Caller,
  { projectId, id }: { readonly projectId: string; readonly id: string },
): Promise<Deleted> {
  await inTransaction(db, async (tx) => {
    const name = await deleteProjectToken(tx, projectId, id);
    if (name === undefined) throw notFound('access token');
    const entry = { now: now(), caller, projectId, targetId: id, detail: { name } };
    await recordAudit(tx, { ...entry, action: 'token.revoke' });
    await notify(tx, 'accessChanged');
  });
  return { numberOfDeletedItems: 1 };
}

/** Requires the password, so that an unlocked browser is not enough. */
async function requireProof(context: Context, caller: Caller, password: PresentPassword): Promise<void> {
  if (hasFreshToken(caller, context.now()) && password.oldPassword === undefined) return;
  await provePassword(context, caller, password);
}

/** @param maxDays 0: tokens without an end are allowed */
function endOf(days: number, now: Date, maxDays: number): Date {
  if (days === 0) {
    if (maxDays === 0) return noEnd;
    throw invalidAt(
      '/lifetimeDays',
      `This service allows no tokens without an end. Choose 1 to ${maxDays} days.`,
    );
  }
  if (maxDays !== 0 && days > maxDays)
    throw invalidAt('/lifetimeDays', `This service allows at most ${maxDays} days.`);
  return new Date(now.getTime() + days * dayMs);
}

const endDetail = (expires: Date) => (expires < noEnd ? { expires: expires.toISOString() } : {});

/** A token for a project that its owner may not see would be of no use. */
async function requireProject({ lookups, now }: Context, caller: Caller, projectId: string): Promise<void> {
  try {
    await authoriseInProject(lookups, 'getProject', projectId, caller, now());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw unusableAt('/projectId', 'There is no such project, or you are not a member of it.');
  }
}

function requireFewer(count: number, owner: string): void {
  if (count < maxTokens) return;
  throw new Failure('conflict', `${owner} ${maxTokens} access tokens, which is the limit. Revoke one first.`);
}
