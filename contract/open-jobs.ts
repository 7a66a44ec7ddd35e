import { Type } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Id, strict } from './schema.ts';

export const maxOpenJobs = 100;

const JobIds = Type.Array(Id, { maxItems: maxOpenJobs });

export const openJobsEndpoints = endpoints({
  postRunnerOpenJobs: {
    method: 'POST',
    path: '/runner/open-jobs',
    tag: 'runner',
    summary: 'Get which of these jobs have not ended, so that leftovers of the others can be removed',
    access: 'runner',
    body: strict({ jobIds: JobIds }),
    reply: Type.Object({ jobIds: JobIds }),
  },
});
