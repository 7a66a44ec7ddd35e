import type { App } from '@platen/contract/apps';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { heavyCache } from '../../base/heavy-cache.ts';
import { loadContent, type MapContent } from '../content.ts';
import { viewerConfig } from '../load.ts';
import { compressQuickly } from './compressed.ts';
import { foreignHosts } from './foreign-hosts.ts';

/** The content of a public app without a release: all that its page depends on, and its configuration. */
export interface UnreleasedConfig extends Pick<MapContent, 'name' | 'description' | 'engineVersion'> {
  /** The foreign hosts that its layers name. */
  readonly hosts: readonly string[];
  readonly etag: string;
  /** In bytes, before compression. */
  readonly size: number;
  readonly gzip: Buffer;
}

const keptBytes = 64 * 1024 * 1024;
const overheadBytes = 4096;
const kept = heavyCache<UnreleasedConfig>(keptBytes, ({ gzip }) => overheadBytes + gzip.length);

/**
 * Compiles the modules of a public app as they are now. Anybody may request it, and 16 MiB of modules cost half a second
 * of computing, so it is kept until something that it is made of changes. @throws Failure `too_large`
 */
export async function unreleasedConfig(db: Db, app: App): Promise<UnreleasedConfig> {
  return kept.get(await stateOf(db, app), () => compile(db, app));
}

async function compile(db: Db, app: App): Promise<UnreleasedConfig> {
  const shown = await loadContent(db, app, 'draft');
  const { name, description, engineVersion } = shown;
  const { bytes, etag, modules } = await viewerConfig(db, app.projectId, shown);
  const hosts = await foreignHosts(modules);
  const gzip = await compressQuickly(bytes, 'gzip');
  return { name, description, engineVersion, hosts, etag, size: bytes.length, gzip };
}

/** Identifies all rows that the configuration is made of: `xmin` differs after each change of a row. */
async function stateOf(db: Db, { _id, projectId, memberId, moduleIds, revision }: App): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    with used as (
      select m.id, m.xmin, position from unnest(${[...moduleIds]}::text[]) with ordinality as listed (id, position)
      join module m on m.id = listed.id and m.project_id = ${projectId})
    select encode(sha256(convert_to(concat_ws(' ',
      (select string_agg(id || ' ' || xmin::text, ',' order by position) from used),
      (select string_agg(d.id || ' ' || d.xmin::text, ',' order by d.id) from datasource d
        where d.id in (select md.datasource_id from module_datasource md join used on used.id = md.module_id
          union all select m ->> 'datasourceId' from project p, json_array_elements(p.base_maps) m
            where p.id = ${projectId})),
      (select 'base maps ' || p.base_maps || s.base_maps from project p, service_settings s where p.id = ${projectId}),
      (select 'user ' || xmin::text from user_account where id = ${memberId}),
      (select 'role ' || xmin::text from membership where project_id = ${projectId} and user_id = ${memberId}),
      (select 'plugins ' || string_agg(xmin::text, ',' order by name, version) from map_plugin)), 'UTF8')), 'hex') as state`.execute(
    db,
  );
  return `${_id} ${revision} ${memberId} ${rows[0]!.state}`;
}
