import { Readable } from 'node:stream';
import { jobLogEndpoints } from '@platen/contract/job-log';
import { routes } from '../../http/routes.ts';
import { readLog, textOfLog } from './operations.ts';

const types = { text: 'text/plain; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const;
const endings = { text: 'log', jsonl: 'jsonl' } as const;

export const jobLogRoutes = routes(jobLogEndpoints, {
  getProjectJobLog: (context, { params, query }) => readLog(context, params.jobId, query),
  getProjectJobLogDownload: async (context, { params: { jobId }, query: { format = 'text' }, http }) =>
    http.reply
      .headers({
        'content-type': types[format],
        'content-disposition': `attachment; filename="job-${jobId}.${endings[format]}"`,
        'cache-control': 'private, no-cache',
      })
      .send(Readable.from(textOfLog(context, jobId, { format }))),
});
