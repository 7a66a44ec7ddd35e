import { memberOf } from '@platen/contract/modules';
import { scenarioEndpoints } from '@platen/contract/scenarios';
import { routes } from '../../http/routes.ts';
import { changeScenario, createScenario, getScenario, listScenarios, removeScenario } from './operations.ts';

export const scenarioRoutes = routes(scenarioEndpoints, {
  postProjectScenario: (context, { caller, params, query, body }) =>
    createScenario(context, caller, { ...params, body, memberId: memberOf(query) }),
  getProjectScenarios: (context, { caller, params, query }) =>
    listScenarios(context, caller, params.projectId, query),
  getProjectScenario: (context, { params }) => getScenario(context, params),
  putProjectScenario: (context, { caller, params, body, ifMatch }) =>
    changeScenario(context, caller, { ...params, body, ifMatch }),
  deleteProjectScenario: (context, { caller, params }) => removeScenario(context, caller, params),
});
