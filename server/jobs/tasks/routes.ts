import { taskEndpoints } from '@platen/contract/tasks';
import { scheduleEndpoints } from '@platen/contract/schedules';
import { routes } from '../../http/routes.ts';
import { changeTask, createTask, getTask, listTasks, removeTask } from './operations.ts';
import { previewSchedule } from './preview.ts';

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
});

export const scheduleRoutes = routes(scheduleEndpoints, {
  postSchedulePreview: (context, { body }) => previewSchedule(context, body),
});
