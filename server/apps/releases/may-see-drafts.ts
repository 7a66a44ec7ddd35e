import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { permissionsOf } from '../../identity/iam/roles.ts';

/** Whether a user with access to an app is more than its guest: guests only see its current content. */
export function maySeeDrafts({ isAdmin, role, userId }: Caller, createdBy: string): boolean {
  if (isAdmin) return true;
  if (role !== 'projectManager' && role !== 'projectMember') return false;
  const ofRole = permissionsOf[role];
  return ofRole.has('getApp') || (createdBy === userId && ofRole.has('getProject'));
}

/** @throws Failure `forbidden` */
export function requireDrafts(caller: Caller, createdBy: string): void {
  if (!maySeeDrafts(caller, createdBy))
    throw new Failure(
      'forbidden',
      'Guests of an app see only the content that it shows, neither drafts nor other releases.',
    );
}
