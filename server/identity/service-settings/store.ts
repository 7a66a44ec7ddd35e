import type { ServiceSettings, ServiceSettingsChange } from '@platen/contract/service-settings';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { Tables } from '../../base/database/schema.ts';

export async function findSettings(db: Db): Promise<ServiceSettings> {
  return fromRow(await db.selectFrom('service_settings').selectAll().executeTakeFirstOrThrow());
}

interface Change {
  readonly fields: ServiceSettingsChange;
  readonly now: Date;
  readonly by: string;
  readonly ifMatch: number | undefined;
}

/** @returns undefined if the revision differs */
export async function updateSettings(
  db: Db,
  { fields, now, by, ifMatch }: Change,
): Promise<ServiceSettings | undefined> {
  const { name, listsPublicApps } = fields;
  const row = await db
    .updateTable('service_settings')
    .set({
      ...(name !== undefined && { name }),
      ...(listsPublicApps !== undefined && { lists_public_apps: listsPublicApps }),
      revision: sql<number>`revision + 1`,
      updated_at: now,
      updated_by: by,
    })
    .$if(ifMatch !== undefined, (query) => query.where('revision', '=', ifMatch!))
    .returningAll()
    .executeTakeFirst();
  return row && fromRow(row);
}

function fromRow(row: Selectable<Tables['service_settings']>): ServiceSettings {
  return {
    name: row.name,
    listsPublicApps: row.lists_public_apps,
    revision: row.revision,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.updated_by,
  };
}
