import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';

/** The apps that use a module are looked at again when somebody reads them next: see server/apps/warnings.ts. */
export async function outdateWarnings(db: Db, moduleId: string): Promise<void> {
  await sql`update app set warnings = 'null'
    where id in (select app_id from app_module where module_id = ${moduleId}) and warnings::text <> 'null'`.execute(
    db,
  );
}
