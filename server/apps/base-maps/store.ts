import type { BaseMap } from '@platen/contract/base-maps';
import type { Db } from '../../base/database/database.ts';

export interface StoredBaseMaps {
  readonly ofProject: readonly BaseMap[];
  readonly ofService: readonly BaseMap[];
}

/** The base maps of a project, and of the service. */
export async function findBaseMaps(db: Db, projectId: string): Promise<StoredBaseMaps> {
  const project = db.selectFrom('project').select('base_maps').where('id', '=', projectId).executeTakeFirst();
  const service = db.selectFrom('service_settings').select('base_maps').executeTakeFirst();
  return { ofProject: (await project)?.base_maps ?? [], ofService: (await service)?.base_maps ?? [] };
}
