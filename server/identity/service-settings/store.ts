import type { ServiceSettings, ServiceSettingsChange } from '@platen/contract/service-settings';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { Tables } from '../../base/database/schema.ts';

export async function findSettings(db: Db): Promise<ServiceSettings> {
  return fromRow(await db.selectFrom('service_settings').selectAll().executeTakeFirstOrThrow());
}

/** Keeps others from changing them until the transaction ends. */
export async function lockSettings(tx: Db): Promise<ServiceSettings> {
  return fromRow(await tx.selectFrom('service_settings').selectAll().forUpdate().executeTakeFirstOrThrow());
}

interface Change {
  readonly fields: ServiceSettingsChange;
  readonly now: Date;
  readonly by: string;
}

/** Call it for locked settings. */
export async function updateSettings(db: Db, { fields, now, by }: Change): Promise<ServiceSettings> {
  const { name, listsPublicApps, apiOrigins, baseMaps } = fields;
  const row = await db
    .updateTable('service_settings')
    .set({
      ...(name !== undefined && { name }),
      ...(listsPublicApps !== undefined && { lists_public_apps: listsPublicApps }),
      ...(apiOrigins !== undefined && { api_origins: [...apiOrigins] }),
      ...(baseMaps !== undefined && { base_maps: JSON.stringify(baseMaps) }),
      revision: sql<number>`revision + 1`,
      updated_at: now,
      updated_by: by,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

function fromRow(row: Selectable<Tables['service_settings']>): ServiceSettings {
  return {
    name: row.name,
    listsPublicApps: row.lists_public_apps,
    apiOrigins: row.api_origins,
    baseMaps: row.base_maps,
    revision: row.revision,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.updated_by,
  };
}
