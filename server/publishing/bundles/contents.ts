import type { App } from '@platen/contract/apps';
import type { Module } from '@platen/contract/modules';
import type { Scenario } from '@platen/contract/scenarios';
import type { FreeForm } from '@platen/contract/schema';
import { findApp } from '../../apps/store.ts';
import { loadContent, currentContent } from '../../apps/content.ts';
import { forViewer } from '../../apps/for-viewer.ts';
import type { Db } from '../../base/database/database.ts';
import { findDatasource } from '../../datasources/store.ts';
import { Failure } from '../../base/failure.ts';
import { typeNameOf } from '../../base/type-name.ts';
import { orderPicture } from '../../apps/app-pictures/drawn-picture.ts';
import { findPicture } from '../../apps/app-pictures/store.ts';
import { pluginFilesOf } from '../../apps/map-plugins/resolve.ts';
import { findScenario } from '../../apps/scenarios/store.ts';
import type { AppContents, StoredFile } from './app-bundle.ts';
import type { ScenarioContents } from './scenario-bundle.ts';
import type { DatasourceContents } from './datasource-bundle.ts';
import { withoutStamps } from './place-modules.ts';
import { findSources } from './sources.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Everything that makes up a bundle except the bytes of data; kept for the duration of an attempt. */
export type Contents = AppContents | DatasourceContents | ScenarioContents;

interface Publication {
  readonly projectId: string;
  readonly jobType: string;
  readonly options: FreeForm;
}

/**
 * Loads the current contents of a publishing job. @throws Failure `unusable_reference` if something has been deleted
 */
export async function contentsOfJob(db: Db, { projectId, jobType, options }: Publication): Promise<Contents> {
  const idOf = (key: string) => String(options[key]);
  switch (typeNameOf(jobType)) {
    case 'PublishApp': {
      const app = await findApp(db, projectId, idOf('appId'));
      if (!app) throw absent('app');
      return contentsOfApp(db, app);
    }
    case 'PublishDatasource':
      return contentsOfDatasource(db, projectId, idOf('datasourceId'));
    case 'PublishScenario': {
      const scenario = await findScenario(db, projectId, idOf('scenarioId'));
      if (!scenario) throw absent('scenario');
      return contentsOfScenario(db, scenario);
    }
    default:
      throw new Failure('unusable_reference', 'This job publishes no bundle.');
  }
}

/** Loads the public content of an app. @throws Failure `unprocessable` if no installed engine can show it */
export async function contentsOfApp(db: Db, app: App): Promise<AppContents> {
  const shown = await loadContent(db, app, 'current');
  const { name, description, engineVersion, revisions, tools } = shown;
  if (engineVersion === undefined)
    throw new Failure('unprocessable', 'The map viewer version that the app requires is not installed.');
  const modules = (await forViewer(db, shown.modules, shown)).map(withoutStamps);
  const world = withoutStamps(shown.world as Module);
  const sources = await findSources(db, app.projectId, revisions);
  const plugins = (await pluginFilesOf(db, shown.modules, engineVersion, shown.plugins)).map((file) =>
    storedAt(file.servedPath.slice(1), file),
  );
  const picture = await findPicture(db, app._id);
  const poster = picture
    ? storedAt(pictureName(picture), picture)
    : await orderPicture(db, app.projectId, shown);
  const described = describedBy(name, description);
  return { kind: 'app', ...described, engineVersion, world, modules, sources, tools, files: plugins, poster };
}

const describedBy = (name: string, description: string) => ({
  name: withoutSecrets(name),
  description: withoutSecrets(description),
});

const pictureName = ({ contentType }: { readonly contentType: string }) =>
  `preview.${contentType.replace('image/', '').replace('jpeg', 'jpg')}`;

function storedAt(path: string, file: Omit<StoredFile, 'path'>): StoredFile {
  const { blobId, size, sha256, contentType } = file;
  return { path, blobId, size, sha256, contentType };
}

/** Its modules that the user with whose permissions it reads may read. */
export async function contentsOfScenario(db: Db, scenario: Scenario): Promise<ScenarioContents> {
  const { name, description, projectId } = scenario;
  const { modules: readable, revisions } = await currentContent(db, scenario);
  const sources = await findSources(db, projectId, revisions);
  const modules = readable.map(withoutStamps);
  return { kind: 'scenario', ...describedBy(name, description), modules, sources };
}

export async function contentsOfDatasource(
  db: Db,
  projectId: string,
  datasourceId: string,
): Promise<DatasourceContents> {
  const datasource = await findDatasource(db, projectId, datasourceId);
  if (!datasource) throw absent('datasource');
  const revisions = new Map([[datasourceId, datasource.dataRevision]]);
  const [source] = await findSources(db, projectId, revisions);
  if (!source) throw absent('datasource');
  return { kind: 'datasource', source };
}

const absent = (what: string) =>
  new Failure('unusable_reference', `The ${what} to publish no longer exists.`);
