import type { App } from '@platen/contract/apps';
import { placesFile } from '@platen/viewer/places-file';
import { installedTools } from '@platen/viewer/tools';
import { sql } from 'kysely';
import { compress } from '../app-pages/compressed.ts';
import { foreignHosts } from '../app-pages/foreign-hosts.ts';
import { loadContent, type MapContent } from '../content.ts';
import { viewerConfig } from '../load.ts';
import type { Db } from '../../base/database/database.ts';
import { notFound } from '../../base/failure.ts';

/** Increment whenever the compiler produces another configuration from the same release. */
const compiler = 4;

/** The configuration of a release for the map viewer, as everyone receives it who reads its data below `/data`. */
export interface StoredConfig {
  readonly etag: string;
  /** In bytes, before compression. */
  readonly size: number;
  readonly brotli: Buffer;
  readonly gzip: Buffer;
  /** The foreign hosts that its layers name. */
  readonly hosts: readonly string[];
}

/** What a configuration depends on besides its release. */
export const madeBy = (engineVersion: string | undefined): string =>
  [compiler, engineVersion ?? '', placesFile().name, ...installedTools().map(({ version }) => version)].join(
    ' ',
  );

/** Compiles and compresses a release, and stores that. @throws Failure `not_found` when it was deleted right now */
export async function storeConfig(db: Db, app: App, releaseId: string): Promise<StoredConfig> {
  const shown = await loadContent(db, app, releaseId);
  if (!shown) throw notFound('release');
  const config = await makeConfig(db, app, shown);
  const { etag, size, brotli, gzip, hosts } = config;
  await sql`
    insert into app_release_config (release_id, made_by, etag, size, brotli, gzip, hosts)
    select id, ${madeBy(shown.engineVersion)}, ${etag}, ${size}, ${brotli}, ${gzip}, ${[...hosts]}::text[]
    from app_release where id = ${releaseId} for key share
    on conflict (release_id) do update set made_by = excluded.made_by, etag = excluded.etag, size = excluded.size,
      brotli = excluded.brotli, gzip = excluded.gzip, hosts = excluded.hosts`.execute(db);
  return config;
}

async function makeConfig(db: Db, { projectId }: App, shown: MapContent): Promise<StoredConfig> {
  const { bytes, etag, modules } = await viewerConfig(db, projectId, shown);
  const [brotli, gzip] = await Promise.all([compress(bytes, 'br'), compress(bytes, 'gzip')]);
  return { etag, size: bytes.length, brotli, gzip, hosts: await foreignHosts(modules) };
}

/** Deletes all stored configurations; each is compiled again on its next request. */
export async function forgetStoredConfigs(tx: Db): Promise<void> {
  await tx.deleteFrom('app_release_config').execute();
}
