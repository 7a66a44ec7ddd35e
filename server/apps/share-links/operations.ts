import type { Deleted, FreeForm, Page } from '@platen/contract/schema';
import type {
  CreatedShareLink,
  NewShareLink,
  ShareLink,
  ShareLinkChange,
  ShareLinkListQuery,
} from '@platen/contract/share-links';
import { requireOrigins } from '../address-fields.ts';
import { requireUsableTime } from '../visibility.ts';
import { lockApp } from '../store.ts';
import { recordAudit } from '../../base/audit/record-audit.ts';
import { isUnchanged } from '../../base/is-unchanged.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { changedMeanwhile, invalidAt, notFound, unusableAt } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { hashPassword, type PasswordCost } from '../../base/secrets/passwords.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { newId } from '../../base/ids.ts';
import {
  deleteShareLink,
  findShareLink,
  findShareLinks,
  hasRelease,
  insertShareLink,
  lockShareLink,
  updateShareLink,
  type ShareLinkPath,
} from './store.ts';
import { deleteVisits } from './visits.ts';

type AppPath = Omit<ShareLinkPath, 'shareLinkId'>;

/** Only the response contains the address; the stored row cannot reveal it. */
export async function createShareLink(
  { db, now, settings }: Context,
  caller: Caller,
  { projectId, appId, body }: AppPath & { body: NewShareLink },
): Promise<CreatedShareLink> {
  const at = now();
  const { name, shows = 'current', allowedOrigins = [], maxUses = null } = body;
  requireOrigins(allowedOrigins, '/allowedOrigins');
  const expiresAt = instantOf(body.expiresAt) ?? null;
  if (expiresAt && expiresAt <= at) throw invalidAt('/expiresAt', 'It must be in the future.');
  const passwordHash = (await hashOf(body.password, settings.passwordCost)) ?? null;
  const secret = newSecret();
  return inTransaction(db, async (tx) => {
    const app = await lockApp(tx, projectId, appId);
    if (!app) throw notFound('app');
    await requireShowable(tx, appId, shows);
    const fields = { name, shows, allowedOrigins, maxUses, expiresAt, passwordHash };
    const place = { projectId, appId, shareLinkId: newId(at) };
    const row = { ...fields, ...place, tokenHash: hashSecret(secret), by: caller.userId, now: at };
    const link = await insertShareLink(tx, row);
    await audit(tx, caller, { action: 'shareLink.create', at, place, detail: auditDetail(link) });
    return { ...link, url: `${settings.publicUrl ?? ''}/share/${secret}/` };
  });
}

export function listShareLinks(
  { db, now }: Context,
  place: AppPath,
  query: ShareLinkListQuery,
): Promise<Page<ShareLink>> {
  return findShareLinks(db, { ...place, now: now() }, query);
}

export async function getShareLink({ db, now }: Context, place: ShareLinkPath): Promise<ShareLink> {
  const link = await findShareLink(db, place, now());
  if (!link) throw notFound('share link');
  return link;
}

interface Change extends ShareLinkPath {
  readonly body: ShareLinkChange;
  readonly ifMatch: number | undefined;
}

/** Changes apply at once, also to open visits; changing the password ends all visits. */
export async function changeShareLink(
  { db, now, settings }: Context,
  caller: Caller,
  { body, ifMatch, ...place }: Change,
): Promise<ShareLink> {
  const at = now();
  const { name, shows, allowedOrigins, maxUses } = body;
  requireOrigins(allowedOrigins ?? [], '/allowedOrigins');
  const expiresAt = instantOf(body.expiresAt);
  const passwordHash = await hashOf(body.password, settings.passwordCost);
  return inTransaction(db, async (tx) => {
    // locks the app before the link, as deleting the app does
    const app = await lockApp(tx, place.projectId, place.appId);
    const stored = app && (await lockShareLink(tx, place, at));
    if (!stored) throw notFound('share link');
    if (ifMatch !== undefined && ifMatch !== stored.revision) throw changedMeanwhile();
    if (shows !== undefined && shows !== stored.shows) await requireShowable(tx, place.appId, shows);
    const described = {
      ...(name !== undefined && { name }),
      ...(shows !== undefined && { shows }),
      ...(allowedOrigins !== undefined && { allowedOrigins }),
      ...(maxUses !== undefined && { maxUses }),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    if (passwordHash === undefined && isUnchanged(stored, described)) return stored;
    const fields = { ...described, ...(passwordHash !== undefined && { passwordHash }) };
    const link = await updateShareLink(tx, place, { fields, now: at, by: caller.userId });
    if (passwordHash !== undefined) await deleteVisits(tx, place.shareLinkId);
    const detail = { ...auditDetail(link), ...(passwordHash !== undefined && { passwordChanged: true }) };
    await audit(tx, caller, { action: 'shareLink.change', at, place, detail });
    await notify(tx, 'accessChanged');
    return link;
  });
}

export async function removeShareLink(
  { db, now }: Context,
  caller: Caller,
  place: ShareLinkPath,
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    const name = await deleteShareLink(tx, place);
    if (name === undefined) throw notFound('share link');
    await audit(tx, caller, { action: 'shareLink.delete', at: now(), place, detail: { name } });
    await notify(tx, 'accessChanged');
    return { numberOfDeletedItems: 1 };
  });
}

async function requireShowable(tx: Db, appId: string, shows: string): Promise<void> {
  if (shows === 'current' || shows === 'draft' || (await hasRelease(tx, appId, shows))) return;
  throw unusableAt('/shows', 'It must be current, draft, or the id of a release of this app.');
}

/** null takes it away, undefined leaves it. @throws Failure `invalid` */
const instantOf = (text: string | null | undefined) =>
  typeof text === 'string' ? requireUsableTime('/expiresAt', new Date(text)) : text;

const hashOf = async (password: string | null | undefined, cost: PasswordCost) =>
  typeof password === 'string' ? hashPassword({ password }, cost) : password;

/** The audit detail of a link, without secrets. */
const auditDetail = ({
  name,
  shows,
  hasPassword,
  expiresAt,
  maxUses,
  allowedOrigins,
}: ShareLink): FreeForm => ({
  name,
  shows,
  hasPassword,
  ...(expiresAt !== undefined && { expiresAt }),
  ...(maxUses !== undefined && { maxUses }),
  allowedOrigins,
});

interface Entry {
  readonly action: string;
  readonly at: Date;
  readonly place: ShareLinkPath;
  readonly detail: FreeForm;
}

async function audit(tx: Db, caller: Caller, { action, at, place, detail }: Entry): Promise<void> {
  const { projectId, appId, shareLinkId: targetId } = place;
  await recordAudit(tx, { now: at, caller, action, projectId, targetId, detail: { appId, ...detail } });
}
