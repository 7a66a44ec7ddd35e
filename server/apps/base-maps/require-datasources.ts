import type { BaseMap } from '@platen/contract/base-maps';
import type { DatasourceType } from '@platen/contract/datasource-types';
import type { Db } from '../../base/database/database.ts';
import { unusableAt } from '../../base/failure.ts';
import { findDatasourcesById } from '../../datasources/store.ts';

/** Types of data that cover an area as a map does, or are terrain. */
const fitting: readonly DatasourceType[] = [
  'wms',
  'wmts',
  'tms',
  'cog',
  'vectortiles',
  'qmesh',
  'meshinmesh',
];

/** @throws Failure `unusable_reference` if the project has no such datasource, or one that makes no base map */
export async function requireDatasources(
  db: Db,
  projectId: string,
  baseMaps: readonly BaseMap[],
): Promise<void> {
  const ids = baseMaps.flatMap(({ datasourceId }) => datasourceId ?? []);
  if (ids.length === 0) return;
  const found = await findDatasourcesById(db, projectId, ids);
  for (const [index, { datasourceId }] of baseMaps.entries()) {
    if (datasourceId === undefined) continue;
    const type = found.get(datasourceId)?.type;
    const pointer = `/baseMaps/${index}/datasourceId`;
    if (type === undefined) throw unusableAt(pointer, 'There is no such datasource in this project.');
    if (!fitting.includes(type))
      throw unusableAt(pointer, `Data of the type ${type} makes no base map: ${fitting.join(', ')} do.`);
  }
}
