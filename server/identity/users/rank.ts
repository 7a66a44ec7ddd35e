import type { User } from '@platen/contract/users';
import type { Caller } from '../../base/caller.ts';
import { Failure } from '../../base/failure.ts';

/** @throws Failure `forbidden` */
export function requireSuperUser(caller: Caller, toDo: string): void {
  if (!caller.isSuperUser) throw new Failure('forbidden', `Only super users may ${toDo}.`);
}

/** Prevents administrators from gaining rights through the account of another user. @throws Failure `forbidden` */
export function requireRank(caller: Caller, user: User): void {
  if (user._id === caller.userId || caller.isSuperUser) return;
  if (user.isSuperUser || user.isAdmin) requireSuperUser(caller, 'change administrators and super users');
}
