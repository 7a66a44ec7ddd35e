import { addonEndpoints, type AddonListQuery } from '@platen/contract/addons';
import { routes } from '../../http/routes.ts';

/** Every part of this service may be used without a licence. */
const none = async ({ limit, page }: AddonListQuery) => ({
  items: [],
  limit,
  page,
  totalCount: 0,
  totalPages: 0,
});

export const addonRoutes = routes(addonEndpoints, {
  getProjectAddons: (_context, { query }) => none(query),
  getAdminAddons: (_context, { query }) => none(query),
});
