import type { FreeForm } from '@platen/contract/schema';
import type { Db } from '../../base/database/database.ts';

/** The fields of a datasource that interop documents contain. */
export interface DatasourceDescription {
  readonly name: string;
  readonly description: string;
  /** West, south, east and north, in degrees. */
  readonly bbox: readonly number[] | undefined;
  readonly typeProperties: FreeForm;
}

export async function findDescription(
  db: Db,
  datasourceId: string,
): Promise<DatasourceDescription | undefined> {
  const row = await db
    .selectFrom('datasource')
    .select(['name', 'description', 'bbox', 'type_properties'])
    .where('id', '=', datasourceId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { name, description, bbox, type_properties: typeProperties } = row;
  return { name, description, bbox: bbox ?? undefined, typeProperties };
}
