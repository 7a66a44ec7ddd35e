import type { Readable } from 'node:stream';
import type { App } from '@platen/contract/apps';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../base/database/database.ts';
import { notFound } from '../../base/failure.ts';
import { unpack, type Encoding } from '../app-pages/compressed.ts';
import { engineOf } from './require-engine.ts';
import { madeBy, storeConfig, type StoredConfig } from './stored-configs.ts';

/** Metadata of a stored configuration and its release, known without reading the configuration. */
export interface ConfigHead extends Pick<StoredConfig, 'hosts'> {
  readonly releaseId: string;
  readonly name: string;
  readonly description: string;
  readonly engineVersion: string | undefined;
  readonly etag: string;
  /** In bytes, before compression. */
  readonly size: number;
}

interface Row {
  name: string;
  description: string;
  engine_version: string;
  map_version: string;
  made_by: string | null;
  etag: string;
  size: number;
  hosts: string[];
}

/**
 * The stored configuration of a release of an app, compiled again if it is missing. undefined if it contains modules
 * of others and the user with whose permissions the app reads may no longer read those: each must then be checked.
 */
export async function findConfig(db: Db, app: App, releaseId: string): Promise<ConfigHead | undefined> {
  const { rows } = await sql<Row>`
    select r.name, r.description, r.engine_version, r.map_version, c.made_by, c.etag, c.size, c.hosts
    from app_release r left join app_release_config c on c.release_id = r.id
    join user_account o on o.id = ${app.memberId} and o.is_active
    where r.id = ${releaseId} and r.app_id = ${app._id} and (o.is_super_user or o.is_admin
      or exists (select from membership om join role on role.id = om.role_id
        where om.project_id = r.project_id and om.user_id = o.id
          and ('getModule' = any(role.permissions) or r.authors <@ array[o.id])))`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const engineVersion = engineOf({ engineVersion: row.engine_version, mapVersion: row.map_version });
  const isStored = row.made_by === madeBy(engineVersion);
  const { etag, size, hosts } = isStored ? row : await makeOnce(db, app, releaseId);
  const { name, description } = row;
  return { releaseId, name, description, engineVersion, etag, size, hosts };
}

const inTheMaking = new Map<string, ReturnType<typeof storeConfig>>();

/** Many may ask for it at the same moment. */
function makeOnce(db: Db, app: App, releaseId: string): ReturnType<typeof storeConfig> {
  const known = inTheMaking.get(releaseId);
  if (known) return known;
  const made = storeConfig(db, app, releaseId).finally(() => inTheMaking.delete(releaseId));
  inTheMaking.set(releaseId, made);
  return made;
}

/** Recently sent configurations by ETag, which is the hash of their content. */
const held = new LRUCache<string, Buffer>({
  maxSize: 64 * 1024 * 1024,
  sizeCalculation: ({ length }) => length,
});

/** Its bytes in an encoding; without one they are unpacked, which hardly any client asks for. */
export async function bodyOf(
  db: Db,
  head: ConfigHead,
  encoding: Encoding | undefined,
): Promise<Buffer | Readable> {
  const column = encoding === 'br' ? 'brotli' : 'gzip';
  const key = `${column} ${head.etag}`;
  let bytes = held.get(key);
  if (!bytes) {
    const read = await readBody(db, head.releaseId, column);
    bytes = read.body;
    // it may have been compiled again since
    if (read.etag === head.etag) held.set(key, bytes);
  }
  return encoding === undefined ? unpack(bytes) : bytes;
}

/** @throws Failure `not_found` when the release was deleted right now */
async function readBody(db: Db, releaseId: string, column: 'brotli' | 'gzip') {
  const { rows } = await sql<{ body: Buffer; etag: string }>`
    select ${sql.ref(column)} as body, etag from app_release_config where release_id = ${releaseId}`.execute(
    db,
  );
  if (!rows[0]) throw notFound('release');
  return rows[0];
}
