import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { permissionsOf } from '../../identity/iam/roles.ts';

/** Whether somebody who may read an app does so by more than being its guest: guests see only what it shows. */
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
