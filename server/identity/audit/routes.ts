import { Readable } from 'node:stream';
import { auditEndpoints } from '@platen/contract/audit';
import { routes } from '../../http/routes.ts';
import { exportAuditEntries, listAuditEntries } from './operations.ts';

const types = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;

export const auditRoutes = routes(auditEndpoints, {
  getAudit: (context, { query }) => listAuditEntries(context, query),
  getAuditExport: async (context, { caller, query, http: { reply } }) => {
    const text = await exportAuditEntries(context, caller, query);
    return reply
      .headers({
        'content-type': types[query.format],
        'content-disposition': `attachment; filename="audit.${query.format}"`,
        'cache-control': 'no-store',
      })
      .send(Readable.from(text));
  },
});
