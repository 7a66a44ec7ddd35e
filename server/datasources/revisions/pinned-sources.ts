import type { DatasourceFacts } from '@platen/contract/datasource-facts';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { AddressableDatasource } from '../address.ts';
import type { LayerInput } from '../layer.ts';

/** A datasource as it was in a revision. */
export type PinnedSource = AddressableDatasource &
  Omit<LayerInput, 'uri' | 'bbox' | 'facts'> & {
    readonly bbox: number[] | null;
    readonly facts: DatasourceFacts | null;
  };

/** The sources of revisions of datasources of a project, by datasource; missing ones are omitted. */
export async function findPinnedSources(
  db: Db,
  projectId: string,
  revisions: ReadonlyMap<string, number>,
): Promise<Map<string, PinnedSource>> {
  if (revisions.size === 0) return new Map();
  const ids = [...revisions.keys()];
  const { rows } = await sql<PinnedSource>`
    select s.id as "_id", s.type, s.source_properties as "sourceProperties", s.bucket_key as "bucketKey",
      s.served_folder as "servedFolder", s.type_properties as "typeProperties", s.properties, s.bbox, s.facts, '' as name
    from unnest(${ids}::text[], ${[...revisions.values()]}::integer[]) as wanted (id, revision), lateral (
      select id, type, source_properties, bucket_key, served_folder, type_properties, properties, bbox, facts
      from datasource d
      where d.id = wanted.id and d.project_id = ${projectId} and d.data_revision = wanted.revision
      union all
      select datasource_id, r.type, r.source_properties, r.bucket_key, r.served_folder, r.type_properties, r.properties,
        r.bbox, r.facts from datasource_revision r
      where r.datasource_id = wanted.id and r.project_id = ${projectId} and r.revision = wanted.revision
        and r.until is not null) s`.execute(db);
  return new Map(rows.map((row) => [row._id, row]));
}
