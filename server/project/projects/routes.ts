import { projectEndpoints } from '@platen/contract/projects';
import { routes } from '../../http/routes.ts';
import { listDeletedProjects, removeForGood, removeProject, restoreProject } from './deleted.ts';
import { changeProject, createProject, getProject, listProjects, summariseProject } from './operations.ts';

export const projectRoutes = routes(projectEndpoints, {
  postProject: (context, { caller, query, body }) =>
    createProject(context, caller, { body, managerId: query.managerId }),
  getProjects: (context, { caller, query }) => listProjects(context, caller, query),
  getProject: (context, { params }) => getProject(context, params.projectId),
  putProject: (context, { caller, params, body, ifMatch }) =>
    changeProject(context, caller, { projectId: params.projectId, body, ifMatch }),
  deleteProject: (context, { caller, params }) => removeProject(context, caller, params.projectId),
  getAdminDeletedProjects: (context, { query }) => listDeletedProjects(context, query),
  postAdminDeletedProjectRestore: (context, { caller, params }) =>
    restoreProject(context, caller, params.deletedProjectId),
  deleteAdminDeletedProject: (context, { caller, params }) =>
    removeForGood(context, caller, params.deletedProjectId),
  getProjectSummary: (context, { params }) => summariseProject(context, params.projectId),
});
