import type { DatasourceType } from '@platen/contract/datasource-types';
import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import type { Db } from '../base/database/database.ts';
import { unusableAt } from '../base/failure.ts';
import { findDatasource } from './store.ts';

/** Options that name another datasource, and the types that it may have. */
const others: Partial<Record<DatasourceType, readonly [option: string, types: readonly DatasourceType[]]>> = {
  tilesetupdate: ['baseDatasourceId', ['tileset', 'tilesetupdate']],
  meshinmesh: ['baseDatasourceId', ['qmesh', 'meshinmesh']],
  oblique: ['terrainDatasourceId', ['qmesh', 'meshinmesh']],
};

/** @throws Failure `unusable_reference` if an option names a datasource that is missing, or of an unfit type */
export async function requireOtherDatasources(
  db: Db,
  projectId: string,
  { type, typeProperties }: { readonly type: DatasourceType; readonly typeProperties: FreeForm },
): Promise<void> {
  const [option, types] = others[type] ?? [];
  const id = option !== undefined && typeProperties[option];
  if (typeof id !== 'string') return;
  const other = await findDatasource(db, projectId, id);
  const pointer = `/typeProperties/${option}`;
  if (!other) throw unusableAt(pointer, 'There is no such datasource in this project.');
  if (!types!.includes(other.type))
    throw unusableAt(
      pointer,
      `The datasource is of the type ${other.type}. It must be ${types!.join(' or ')}.`,
    );
}

/** Oblique images with the terrain that their option names; modules follow it by its `datasourceId`. */
export async function withTerrain(db: Db, datasource: Datasource): Promise<Datasource> {
  const { type, projectId, typeProperties } = datasource;
  const { terrainDatasourceId, ...options } = typeProperties;
  if (type !== 'oblique' || typeof terrainDatasourceId !== 'string') return datasource;
  const terrain = await findDatasource(db, projectId, terrainDatasourceId);
  if (!terrain) return { ...datasource, typeProperties: options };
  const { requestVertexNormals } = terrain.typeProperties;
  const terrainProvider = {
    datasourceId: terrainDatasourceId,
    url: terrain.uri,
    ...(requestVertexNormals !== undefined && { requestVertexNormals }),
  };
  return { ...datasource, typeProperties: { terrainProvider, ...options } };
}
