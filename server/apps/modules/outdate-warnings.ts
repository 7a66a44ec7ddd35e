import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';

/**
 * Marks the warnings of apps that use the module as outdated; they are checked again when read next
 * (server/apps/warnings.ts).
 */
export async function outdateWarnings(db: Db, moduleId: string): Promise<void> {
  await sql`update app set warnings = 'null'
    where id in (select app_id from app_module where module_id = ${moduleId}) and warnings::text <> 'null'`.execute(
    db,
  );
}
