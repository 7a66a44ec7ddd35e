import type { Permission } from '@platen/contract/permission';
import { Failure } from './failure.ts';

/** The network address and the program that a request comes from. */
export interface RequestOrigin {
  readonly address: string;
  /** As the program names itself, cut to a bounded length. */
  readonly userAgent: string;
}

/** The user behind a request, with their permissions in the project of its path. */
export interface Caller extends RequestOrigin {
  readonly userId: string;
  readonly username: string;
  readonly isAdmin: boolean;
  readonly isSuperUser: boolean;
  /** SHA-256 of the token of this request. */
  readonly tokenHash: Buffer;
  /** A session of a browser, a token of a login, or an access token. */
  readonly tokenKind: 'session' | 'bearer' | 'access';
  /** The only project in which the token can be used; undefined: no such limit. */
  readonly tokenProjectId?: string;
  readonly tokenSince: Date;
  /** When it was last used before, to the minute. */
  readonly tokenSeen: Date;
  /** When the token ends, however much it is used. */
  readonly tokenEnds: Date;
  /** Permissions in the project of the path; empty if the path names none. */
  readonly permissions: ReadonlySet<Permission>;
  /** The source of the permissions: a role in the project, a global role, or being a guest of the app. */
  readonly role: 'projectManager' | 'projectMember' | 'appGuest' | 'global' | 'none';
}

/** The token that a request came with. */
export interface Credential extends RequestOrigin {
  /** SHA-256 of the token. */
  readonly hash: Buffer;
  readonly now: Date;
}

export function may(caller: Caller, permission: Permission): boolean {
  return caller.permissions.has(permission);
}

/**
 * Checks a permission that depends on the body; all others are checked before the body is read.
 * @throws Failure `forbidden`
 */
export function requirePermission(caller: Caller, permission: Permission, toDo: string): void {
  if (!may(caller, permission))
    throw new Failure('forbidden', `You need the permission ${permission} to ${toDo}.`);
}

/** Reading resources of others requires the permission; for your own, getProject is enough. */
export function maySee(caller: Caller, permission: Permission, createdBy: string): boolean {
  return may(caller, permission) || (createdBy === caller.userId && may(caller, 'getProject'));
}
