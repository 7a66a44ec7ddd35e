import type { App } from '@platen/contract/apps';
import { isOfNames, worldNames, type BaseMap } from '@platen/contract/base-maps';
import type { Module } from '@platen/contract/modules';
import { isWorldMap, worldModule } from '@platen/viewer/world-module';
import type { Db } from '../../base/database/database.ts';
import { findDatasourcesById } from '../../datasources/store.ts';
import { baseMapModule, baseMapModuleId, type ChosenBaseMap } from './base-map-module.ts';
import { findBaseMaps } from './store.ts';

export type BaseMapOwner = Pick<App, 'projectId' | 'memberId' | 'baseMaps'>;

/** The module with the base maps of an app, as the settings are now; none if it has chosen none that exists. */
export async function findBaseMapModule(db: Db, app: BaseMapOwner): Promise<Module[]> {
  const { projectId, baseMaps } = app;
  if (baseMaps.length === 0) return [];
  const { ofProject, ofService } = await findBaseMaps(db, projectId);
  const known = new Map([...ofService, ...ofProject].map((baseMap) => [baseMap.id, baseMap]));
  const chosen = baseMaps.flatMap((id): ChosenBaseMap[] => {
    const found = isWorldMap(id) || isOfNames(id) ? id : known.get(id);
    return found === undefined ? [] : [found];
  });
  if (chosen.length === 0) return [];
  const datasources = await findDatasourcesById(db, projectId, chosen.flatMap(datasourceOf));
  return [baseMapModule(chosen, app, (id) => datasources.get(id)?.type)];
}

function datasourceOf(chosen: ChosenBaseMap): string[] {
  const { datasourceId } = typeof chosen === 'string' ? ({} as Partial<BaseMap>) : chosen;
  return datasourceId === undefined ? [] : [datasourceId];
}

/** The world base layer below the base maps of an app. @param modules none if it has chosen none */
export function worldBelow([baseMaps]: readonly Module[]) {
  const ids = (baseMaps?.layers ?? [])
    .filter(({ type }) => type !== 'TerrainLayer')
    .map(({ name }) => String(name).slice(baseMapModuleId.length + 1));
  return worldModule(ids.filter((id) => !id.startsWith(worldNames)));
}
