import { searchEndpoints } from '@platen/contract/search';
import { routes } from '../../http/routes.ts';
import { search } from './operations.ts';

export const searchRoutes = routes(searchEndpoints, {
  getSearch: (context, { caller, query }) =>
    search(context, caller, { ...query, projectId: query.projectId }),
});
