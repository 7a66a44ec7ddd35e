import type { CredentialType } from '@platen/contract/credentials';
import { sql } from 'kysely';
import { lockKeys } from '../../base/database/advisory-locks.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import { isFolderOfOthers } from './store.ts';
import type { Target } from '../../base/database/schema.ts';

interface FolderClaim {
  readonly projectId: string;
  readonly type: CredentialType;
  readonly target: Target;
}

/**
 * The operator’s folder is shared by all projects and publishing replaces its content, so each folder in it belongs to
 * one project. @throws Failure `conflict`
 */
export async function requireFreeFolder(tx: Db, { projectId, type, target }: FolderClaim): Promise<void> {
  if (type !== 'fs') return;
  await sql`select pg_advisory_xact_lock(${lockKeys.publishing})`.execute(tx);
  if (!(await isFolderOfOthers(tx, projectId, target.folder!))) return;
  const detail =
    'Another project publishes to this folder, or to one inside or around it. Choose another folder.';
  throw new Failure('conflict', `/folder: ${detail}`, {
    errors: [{ pointer: '/folder', code: 'taken', detail }],
  });
}
