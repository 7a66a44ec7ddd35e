import { publishEndpoints } from '@platen/contract/publish';
import { routes } from '../../http/routes.ts';
import { abortPublications } from './abort.ts';
import { endPublications, listPublications, publish, type PublishPath } from './operations.ts';

type PathWith<Name extends string> = { readonly projectId: string } & Readonly<Record<Name, string>>;

const app = ({ projectId, appId }: PathWith<'appId'>): PublishPath => ({ projectId, type: 'app', id: appId });
const datasource = ({ projectId, datasourceId }: PathWith<'datasourceId'>): PublishPath => ({
  projectId,
  type: 'datasource',
  id: datasourceId,
});
const scenario = ({ projectId, scenarioId }: PathWith<'scenarioId'>): PublishPath => ({
  projectId,
  type: 'scenario',
  id: scenarioId,
});

export const publishRoutes = routes(publishEndpoints, {
  putProjectAppPublish: (context, { caller, params, body }) =>
    publish(context, caller, { ...app(params), body }),
  getProjectAppPublish: (context, { caller, params, query }) =>
    listPublications(context, caller, { ...app(params), ...query }),
  deleteProjectAppPublish: (context, { caller, params, query }) =>
    abortPublications(context, caller, { ...app(params), taskId: query.taskId }),
  deleteProjectAppPublishTasks: (context, { caller, params, query }) =>
    endPublications(context, caller, { ...app(params), taskId: query.taskId }),
  putProjectDatasourcePublish: (context, { caller, params, body }) =>
    publish(context, caller, { ...datasource(params), body }),
  getProjectDatasourcePublish: (context, { caller, params, query }) =>
    listPublications(context, caller, { ...datasource(params), ...query }),
  deleteProjectDatasourcePublish: (context, { caller, params, query }) =>
    abortPublications(context, caller, { ...datasource(params), taskId: query.taskId }),
  deleteProjectDatasourcePublishTasks: (context, { caller, params, query }) =>
    endPublications(context, caller, { ...datasource(params), taskId: query.taskId }),
  putProjectScenarioPublish: (context, { caller, params, body }) =>
    publish(context, caller, { ...scenario(params), body }),
  getProjectScenarioPublish: (context, { caller, params, query }) =>
    listPublications(context, caller, { ...scenario(params), ...query }),
  deleteProjectScenarioPublish: (context, { caller, params, query }) =>
    abortPublications(context, caller, { ...scenario(params), taskId: query.taskId }),
  deleteProjectScenarioPublishTasks: (context, { caller, params, query }) =>
    endPublications(context, caller, { ...scenario(params), taskId: query.taskId }),
});
