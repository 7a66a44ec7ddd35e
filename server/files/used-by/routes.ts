import { usedByEndpoints } from '@platen/contract/used-by';
import { routes } from '../../http/routes.ts';
import {
  listUsesOfApp,
  listUsesOfBucket,
  listUsesOfCredential,
  listUsesOfDatasource,
  listUsesOfModule,
  listUsesOfObject,
  listUsesOfScenario,
  listUsesOfTask,
} from './operations.ts';

export const usedByRoutes = routes(usedByEndpoints, {
  getProjectDataBucketObjectUsedBy: (context, { params, query }) => listUsesOfObject(context, params, query),
  getProjectDataBucketUsedBy: (context, { params, query }) => listUsesOfBucket(context, params, query),
  getProjectDatasourceUsedBy: (context, { params, query }) => listUsesOfDatasource(context, params, query),
  getProjectModuleUsedBy: (context, { params, query }) => listUsesOfModule(context, params.moduleId, query),
  getProjectAppUsedBy: (context, { params, query }) => listUsesOfApp(context, params.appId, query),
  getProjectScenarioUsedBy: (context, { params, query }) =>
    listUsesOfScenario(context, params.scenarioId, query),
  getProjectCredentialUsedBy: (context, { params, query }) =>
    listUsesOfCredential(context, params.credentialId, query),
  getProjectTaskUsedBy: (context, { params, query }) => listUsesOfTask(context, params, query),
});
