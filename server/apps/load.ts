import type { App } from '@platen/contract/apps';
import type { Module } from '@platen/contract/modules';
import type { Db } from '../database/database.ts';
import { findDatasourcesById } from '../datasources/store.ts';
import { findReader, mayReadModule } from '../modules/reader.ts';
import { datasourceReferences } from '../modules/references.ts';
import { findModulesByIds } from '../modules/store.ts';
import { compileModule, type AddressOf } from './compile.ts';
import { requireFit } from './require-fit.ts';

type Readable = Pick<App, 'projectId' | 'memberId' | 'moduleIds'>;

/**
 * The modules of an app, in order, that the user with whose permissions it reads may read now.
 * @throws Failure `too_large` when the app has become larger than can be shown
 */
export async function findReadableModules(db: Db, app: Readable): Promise<Module[]> {
  await requireFit(db, app.projectId, app.moduleIds);
  const reader = await findReader(db, app.projectId, app.memberId);
  const modules = await findModulesByIds(db, app.projectId, app.moduleIds);
  return modules.filter(({ createdBy }) => mayReadModule(reader, createdBy));
}

/** The same, as the map viewer gets them: with the addresses of the datasources of this project. */
export async function loadCompiledModules(db: Db, app: Readable): Promise<Module[]> {
  const modules = await findReadableModules(db, app);
  const ids = modules.flatMap((module) =>
    datasourceReferences(module).map(({ datasourceId }) => String(datasourceId)),
  );
  const datasources = await findDatasourcesById(db, app.projectId, [...new Set(ids)]);
  const addressOf: AddressOf = (id) => {
    const url = datasources.get(id)?.uri;
    return url === undefined ? undefined : { base: `/data/${id}`, url };
  };
  return modules.map((module) => compileModule(module, addressOf));
}
