import type { Cleanup, CleanupKind, CleanupListQuery } from '@platen/contract/cleanups';
import type { FreeForm, Page } from '@platen/contract/schema';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, timeFilter } from '../../base/database/lists.ts';
import { newId } from '../../base/ids.ts';
import { countAll, type RemovalCount } from '../../base/removal-count.ts';
import type { CleanupTable } from '../../base/database/schema.ts';

type Row = Omit<Selectable<CleanupTable>, 'detail'> & { detail: FreeForm };

/** The removals of one clean-up by kind and project; in `detail` by data bucket. */
export class RemovalCounters {
  readonly #rows = new Map<string, { kind: CleanupKind; parts: RemovalCount[] }>();

  add(kind: CleanupKind, removed: readonly RemovalCount[]): void {
    for (const part of removed) {
      if (part.count === 0 && !part.bytes) continue;
      const key = `${kind} ${part.project_id ?? ''}`;
      const row = this.#rows.get(key) ?? { kind, parts: [] };
      const same = row.parts.findIndex(({ bucket_id }) => (bucket_id ?? null) === (part.bucket_id ?? null));
      if (same < 0) row.parts.push(part);
      else row.parts[same] = sumOf([row.parts[same]!, part]);
      this.#rows.set(key, row);
    }
  }

  /** Empties it. */
  take(): { kind: CleanupKind; parts: RemovalCount[] }[] {
    const rows = [...this.#rows.values()];
    this.#rows.clear();
    return rows;
  }
}

function sumOf(parts: readonly RemovalCount[]): RemovalCount {
  const bytes = parts.reduce((sum, part) => sum + (part.bytes ?? 0), 0);
  return { ...parts[0]!, count: countAll(parts), bytes };
}

export async function insertCleanups(db: Db, counters: RemovalCounters, now: Date): Promise<Cleanup[]> {
  const rows = counters.take().map(({ kind, parts }): Row => {
    const { project_id = null, count, bytes = 0 } = sumOf(parts);
    const dataBuckets = parts.flatMap(({ bucket_id: dataBucketId, ...part }) =>
      dataBucketId ? [{ dataBucketId, count: part.count, bytes: part.bytes ?? 0 }] : [],
    );
    const detail = dataBuckets.length > 0 ? { dataBuckets } : {};
    return { id: newId(now), at: now, project_id, kind, count, bytes, detail };
  });
  if (rows.length === 0) return [];
  const values = rows.map(({ detail, ...row }) => ({ ...row, detail: JSON.stringify(detail) }));
  await db.insertInto('cleanup').values(values).execute();
  return rows.map(fromRow);
}

export function findCleanups(db: Db, query: CleanupListQuery): Promise<Page<Cleanup>> {
  return selectPage(db, {
    from: sql`cleanup c`,
    columns: sql`c.*`,
    where: [
      timeFilter('at', 'c.at', query.at),
      exactFilter('c.project_id', query.projectId),
      exactFilter('c.kind', query.kind),
    ],
    order: { createdAt: 'c.at', at: 'c.at', kind: 'c.kind', count: 'c.count', bytes: 'c.bytes' },
    tieBreak: 'c.id',
    query,
    fromRow,
  });
}

export async function deleteCleanups(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('cleanup').where('at', '<', before).execute();
}

function fromRow(row: Row): Cleanup {
  return {
    _id: row.id,
    at: row.at.toISOString(),
    ...(row.project_id !== null && { projectId: row.project_id }),
    kind: row.kind,
    count: row.count,
    bytes: row.bytes,
    detail: row.detail,
  };
}
