import { auditEndpoints } from '@platen/contract/audit';
import { routes } from '../../http/routes.ts';
import { listAuditEntries } from './operations.ts';

export const auditRoutes = routes(auditEndpoints, {
  getAudit: (context, { query }) => listAuditEntries(context, query),
});
