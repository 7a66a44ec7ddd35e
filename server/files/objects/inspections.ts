import type { InspectionReport, InspectionSummary } from '@platen/contract/inspect';
import { factsOf } from '@platen/contract/inspection-facts';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { nameOf } from './key.ts';

interface InspectedFile {
  readonly key: string;
  readonly sha256: string;
}

/** Inspection results of files of a project by key, in one query. Files without an inspection are omitted. */
export async function inspectionsOf(
  db: Db,
  projectId: string,
  files: readonly InspectedFile[],
): Promise<ReadonlyMap<string, InspectionSummary>> {
  if (files.length === 0) return new Map();
  const { rows } = await sql<{
    name: string;
    sha256: string;
    format: string | null;
    format_title: string | null;
    kind: InspectionSummary['kind'] | null;
    summary: string;
    report: InspectionReport;
  }>`
    select distinct on (i.name, i.sha256) i.name, encode(i.sha256, 'hex') as sha256, i.format, i.format_title, i.kind,
      i.summary, i.report::jsonb - 'thumbnail' - 'uses' - 'vector' - 'raster' as report
    from unnest(${files.map(({ key }) => nameOf(key))}::text[], ${files.map(({ sha256 }) => sha256)}::text[])
      as wanted (name, sha256)
    join inspection i on i.project_id = ${projectId} and i.sha256 = decode(wanted.sha256, 'hex') and i.name = wanted.name
    order by i.name, i.sha256, i.created_at desc`.execute(db);
  const known = new Map(rows.map((row) => [`${row.sha256} ${row.name}`, row]));
  const found = files.flatMap(({ key, sha256 }) => {
    const row = known.get(`${sha256} ${nameOf(key)}`);
    if (!row) return [];
    const { format, format_title: formatTitle, kind, summary, report } = row;
    return [
      [
        key,
        {
          ...(format && { format }),
          ...(formatTitle && { formatTitle }),
          ...(kind && { kind }),
          facts: factsOf(report),
          summary,
        },
      ],
    ] as const;
  });
  return new Map(found);
}
