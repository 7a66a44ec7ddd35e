import type { App } from '@platen/contract/apps';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { changedBy } from '../../base/database/stamps.ts';
import { findApp } from '../store.ts';
import { forgetPastVisibility, markVisible } from './store.ts';

/** Changes of visibility; null clears a field. */
export interface VisibilityChange {
  readonly isPublic?: boolean;
  readonly releaseId?: string | null;
  readonly publicFrom?: Date | null;
  readonly publicUntil?: Date | null;
  /** The release to show from `publicFrom` on: '' for the draft, null for what is shown already. */
  readonly publicReleaseId?: string | null;
  /** Whose permission it takes at that time. */
  readonly publicSetBy?: string | null;
}

/** The app must be locked. All replicas and caches are notified with the commit. */
export async function changeVisibility(
  tx: Db,
  { _id: id, projectId, isPublic: wasPublic }: Pick<App, '_id' | 'projectId' | 'isPublic'>,
  showing: VisibilityChange,
  { now, by }: { readonly now: Date; readonly by: string },
): Promise<App> {
  const { isPublic, releaseId, publicFrom, publicUntil, publicReleaseId, publicSetBy } = showing;
  await tx
    .updateTable('app')
    .set({
      ...(isPublic !== undefined && { is_public: isPublic }),
      ...(releaseId !== undefined && { release_id: releaseId }),
      ...(publicFrom !== undefined && { public_from: publicFrom }),
      ...(publicUntil !== undefined && { public_until: publicUntil }),
      ...(publicReleaseId !== undefined && { public_release_id: publicReleaseId }),
      ...(publicSetBy !== undefined && { public_set_by: publicSetBy }),
      ...changedBy(by, now),
    })
    .where('id', '=', id)
    .execute();
  if (releaseId !== undefined) await markVisible(tx, id, releaseId ?? undefined, now);
  if (isPublic && !wasPublic) await forgetPastVisibility(tx, id);
  await notify(tx, 'accessChanged');
  return (await findApp(tx, projectId, id))!;
}
