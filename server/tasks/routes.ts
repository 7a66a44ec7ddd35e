import { taskEndpoints } from '@platen/contract/tasks';
import { routes } from '../http/routes.ts';
import { changeTask, createTask, getTask, listTasks, removeTask, runTask } from './operations.ts';

export const taskRoutes = routes(taskEndpoints, {
  postProjectTask: (context, { caller, params, body }) =>
    createTask(context, caller, { projectId: params.projectId, body }),
  getProjectTasks: (context, { caller, params, query }) =>
    listTasks(context, caller, { projectId: params.projectId, query }),
  getProjectTask: (context, { params }) => getTask(context, params),
  putProjectTask: (context, { caller, params, query, body, ifMatch }) =>
    changeTask(context, caller, {
      ...params,
      body,
      overwriteParameters: query.overwriteParameters === true,
      ifMatch,
    }),
  deleteProjectTask: (context, { caller, params }) => removeTask(context, caller, params),
  postProjectTaskRun: (context, { caller, params }) => runTask(context, caller, params),
});
