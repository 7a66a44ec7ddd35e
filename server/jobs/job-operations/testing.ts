import type { RunnerPhase } from '@platen/contract/runner';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';
import { projectWithCities, tilingTask, type TestProject } from '../tasks/testing.ts';
import type { ApiClient, TestService } from '../../testing.ts';

export async function enrolled(
  { context, ...service }: TestService,
  name: string,
  labels: string[] = [],
): Promise<ApiClient> {
  const enrolmentToken = newSecret();
  await allowEnrolment(context.db, hashSecret(enrolmentToken));
  const { token } = await service
    .as()
    .postRunnerEnrol({ body: { enrolmentToken, name, labels, version: '' } });
  return service.as(token);
}

/** A project, a runner, and a way to make jobs and to hold them as that runner. */
export async function holdJobs(service: TestService) {
  const { admin } = service;
  const project: TestProject = await projectWithCities(service);
  const { projectId, bucketId } = project;
  const runner = await enrolled(service, 'the runner');
  const newJob = async (change: Record<string, unknown> = {}) => {
    const body = tilingTask(bucketId, change);
    const task = await admin.postProjectTask({ params: { projectId }, body });
    return { jobId: task.lastJobId!, taskId: task._id };
  };
  /** Takes the next job. */
  const hold = async (by = runner) => {
    const { job } = await by.postRunnerClaim({ body: { waitSeconds: 0 } });
    const params = { jobId: job!.jobId };
    const client = service.as(job!.token);
    return {
      ...job!,
      client,
      path: { projectId, jobId: job!.jobId },
      reportPhases: (phases: RunnerPhase[]) => {
        const { name: phase, done, total } = phases.at(-1)!;
        return client.postRunnerJobProgress({
          params,
          body: { progress: { phase, done, total }, phases, warnings: [] },
        });
      },
      write: (first: number, lines: readonly Line[]) => {
        const at = new Date().toISOString();
        const entries = lines.map(({ level = 'info', ...line }) => ({ at, level, ...line }));
        return client.postRunnerJobLog({ params, body: { first, entries } });
      },
      fail: (code = 'broken') =>
        client.postRunnerJobFail({ params, body: { code, message: 'It is broken.', warnings: [] } }),
    };
  };
  return { ...project, runner, newJob, hold };
}

interface Line {
  readonly message: string;
  readonly level?: 'debug' | 'info' | 'warning' | 'error';
  readonly operation?: number;
  readonly data?: Record<string, unknown>;
}

/** The phase that goes on. */
export const phase = (n: number, name: string, change: Partial<RunnerPhase> = {}): RunnerPhase => ({
  n,
  name,
  done: 0,
  total: 0,
  startedSecondsAgo: 0,
  ...change,
});
