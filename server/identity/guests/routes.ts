import { guestEndpoints } from '@platen/contract/guests';
import { routes } from '../../http/routes.ts';
import { addGuest, listGuests, removeGuest } from './operations.ts';

export const guestRoutes = routes(guestEndpoints, {
  getProjectAppGuests: (context, { params, query }) => listGuests(context, params, query),
  putProjectAppGuest: (context, { caller, params }) => addGuest(context, caller, params),
  deleteProjectAppGuest: (context, { caller, params }) => removeGuest(context, caller, params),
});
