import type { Permission } from '@platen/contract/permission';
import { Failure } from './failure.ts';

/** Who makes a request, and what they may do in the project that its path names. */
export interface Caller {
  readonly userId: string;
  readonly username: string;
  readonly isAdmin: boolean;
  readonly isSuperUser: boolean;
  /** SHA-256 of the token of this request. */
  readonly tokenHash: Buffer;
  readonly tokenExpires: Date;
  readonly address: string;
  /** In the project of the path; empty where the path names none. */
  readonly permissions: ReadonlySet<Permission>;
  /** The permissions come from a role in the project, from a global role, or from being a guest of the app. */
  readonly role: 'projectManager' | 'projectMember' | 'appGuest' | 'global' | 'none';
}

/** What a request identifies itself by. */
export interface Credential {
  /** SHA-256 of the token. */
  readonly hash: Buffer;
  readonly address: string;
  readonly now: Date;
}

export function may(caller: Caller, permission: Permission): boolean {
  return caller.permissions.has(permission);
}

/** @throws Failure `forbidden`; for what depends on the body, the rest is decided before the body is read. */
export function requirePermission(caller: Caller, permission: Permission, toDo: string): void {
  if (!may(caller, permission))
    throw new Failure('forbidden', `You need the permission ${permission} to ${toDo}.`);
}

/** Reading what others made needs the permission; one's own needs only getProject. */
export function maySee(caller: Caller, permission: Permission, createdBy: string): boolean {
  return may(caller, permission) || (createdBy === caller.userId && may(caller, 'getProject'));
}
