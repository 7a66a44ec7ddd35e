import type { MapPluginVersion } from '@platen/contract/map-plugins';
import { installedEngines } from '@platen/viewer/engines';
import { sql, type Selectable } from 'kysely';
import { rcompare } from 'semver';
import type { Db } from '../../base/database/database.ts';
import { runsOn } from './runs-on.ts';
import type { Tables } from '../../base/database/schema.ts';

type Row = Selectable<Tables['map_plugin']>;
type FileRow = Selectable<Tables['map_plugin_file']>;

/** A file of a plugin; its bytes are in the object store under `blobId`. */
export interface StoredPluginFile {
  /** Below the folder of the plugin, as it is served. */
  readonly path: string;
  readonly blobId: string;
  readonly size: number;
  readonly sha256: string;
  readonly contentType: string;
}

/** The versions of the named plugins, or of all, the newest first. */
export async function findPlugins(
  db: Db,
  names?: readonly string[],
): Promise<Map<string, MapPluginVersion[]>> {
  const rows = await db
    .selectFrom('map_plugin')
    .selectAll()
    .where('deleted_at', 'is', null)
    .$if(names !== undefined, (query) => query.where(sql<boolean>`name = any(${[...(names ?? [])]}::text[])`))
    .orderBy('name')
    .execute();
  const plugins = new Map<string, MapPluginVersion[]>();
  for (const row of rows) {
    const versions = plugins.get(row.name) ?? [];
    plugins.set(row.name, versions);
    versions.push(fromRow(row));
  }
  for (const versions of plugins.values())
    versions.sort((one, other) => rcompare(one.version, other.version));
  return plugins;
}

interface NewPlugin {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly mapVersion: string;
  readonly sha256: string;
  readonly hasReadme: boolean;
  readonly hasChangelog: boolean;
  readonly license: string | undefined;
  readonly files: readonly StoredPluginFile[];
  readonly now: Date;
  readonly by: string;
}

/** The stored version, even if deleted; it stays locked until the transaction ends. */
export async function lockVersion(db: Db, name: string, version: string) {
  const row = await db
    .selectFrom('map_plugin')
    .select(['sha256', 'deleted_at'])
    .where('name', '=', name)
    .where('version', '=', version)
    .forUpdate()
    .executeTakeFirst();
  return row && { sha256: row.sha256.toString('hex'), isDeleted: row.deleted_at !== null };
}

/** Inserts the version or replaces a deleted one. @returns undefined if another transaction was faster */
export async function insertPlugin(db: Db, plugin: NewPlugin): Promise<MapPluginVersion | undefined> {
  const { name, version, files } = plugin;
  const values = {
    name,
    version,
    description: plugin.description,
    map_version: plugin.mapVersion,
    size: files.reduce((sum, { size }) => sum + size, 0),
    number_of_files: files.length,
    sha256: Buffer.from(plugin.sha256, 'hex'),
    created_at: plugin.now,
    created_by: plugin.by,
    deleted_at: null,
    has_readme: plugin.hasReadme,
    has_changelog: plugin.hasChangelog,
    license: plugin.license ?? null,
  };
  const row = await db
    .insertInto('map_plugin')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'version'])
        .doUpdateSet(values)
        .where('map_plugin.deleted_at', 'is not', null)
        .where('map_plugin.sha256', '=', values.sha256),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  const rows = files.map(({ path, blobId, size, sha256, contentType }) => {
    const digest = Buffer.from(sha256, 'hex');
    return { name, version, path, blob_id: blobId, size, sha256: digest, content_type: contentType };
  });
  await db.insertInto('map_plugin_file').values(rows).execute();
  return fromRow(row);
}

/** Deletes the files; the version and its hash stay known. */
export async function dropVersions(
  db: Db,
  { name, versions, now }: { name: string; versions: readonly string[]; now: Date },
): Promise<void> {
  const these = sql<boolean>`version = any(${[...versions]}::text[])`;
  await db.deleteFrom('map_plugin_file').where('name', '=', name).where(these).execute();
  await db.updateTable('map_plugin').set({ deleted_at: now }).where('name', '=', name).where(these).execute();
}

export async function findPluginFile(
  db: Db,
  { name, version, path }: { name: string; version: string; path: string },
): Promise<StoredPluginFile | undefined> {
  const row = await db
    .selectFrom('map_plugin_file')
    .selectAll()
    .where('name', '=', name)
    .where('version', '=', version)
    .where('path', '=', path)
    .executeTakeFirst();
  return row && fileFromRow(row);
}

export async function findPluginFiles(db: Db, name: string, version: string): Promise<StoredPluginFile[]> {
  const rows = await db
    .selectFrom('map_plugin_file')
    .selectAll()
    .where('name', '=', name)
    .where('version', '=', version)
    .orderBy('path')
    .execute();
  return rows.map(fileFromRow);
}

function fromRow(row: Row): MapPluginVersion {
  return {
    version: row.version,
    description: row.description,
    mapVersion: row.map_version,
    engines: installedEngines().flatMap(({ version }) => (runsOn(version, row.map_version) ? [version] : [])),
    size: row.size,
    numberOfFiles: row.number_of_files,
    sha256: row.sha256.toString('hex'),
    hasReadme: row.has_readme,
    hasChangelog: row.has_changelog,
    ...(row.license !== null && { license: row.license }),
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
  };
}

function fileFromRow(row: FileRow): StoredPluginFile {
  return {
    path: row.path,
    blobId: row.blob_id,
    size: row.size,
    sha256: row.sha256.toString('hex'),
    contentType: row.content_type,
  };
}
