import type { PublicApp, PublicAppListQuery } from '@platen/contract/public-apps';
import type { Page } from '@platen/contract/schema';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { findSettings } from '../../identity/service-settings/store.ts';
import { findPublicApps } from './store.ts';

/** @throws Failure `not_found` unless super users want them to be listed */
export async function listPublicApps(
  { db, settings }: Context,
  query: PublicAppListQuery,
): Promise<Page<PublicApp>> {
  const { listsPublicApps } = await findSettings(db);
  if (!listsPublicApps) throw new Failure('not_found', 'This service does not list its public apps.');
  return findPublicApps(db, query, settings.publicUrl ?? '');
}
