import { trashEndpoints } from '@platen/contract/trash';
import { routes } from '../../http/routes.ts';
import { emptyTrashOf, listTrash, removeFromTrash, restoreFromTrash } from './operations.ts';

export const trashRoutes = routes(trashEndpoints, {
  getProjectTrash: (context, { caller, params, query }) =>
    listTrash(context, caller, { projectId: params.projectId, query }),
  postProjectTrashItemRestore: (context, { caller, params, query }) =>
    restoreFromTrash(context, caller, {
      ...params,
      overwrite: query.overwrite === true,
      key: query.key,
      force: query.force === true,
    }),
  deleteProjectTrashItem: (context, { caller, params }) => removeFromTrash(context, caller, params),
  deleteProjectTrash: (context, { caller, params }) => emptyTrashOf(context, caller, params.projectId),
});
