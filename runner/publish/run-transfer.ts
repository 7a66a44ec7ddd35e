import { runAttempt, type Attempt } from '../attempt.ts';
import { withRetry } from '../job-client.ts';
import { publish, type PublishOptions } from './publish.ts';

interface TransferRun extends Attempt, Pick<PublishOptions, 'egressPolicy' | 'publishFolder'> {
  readonly runnerName: string;
}

/** What has been broken off has a moment to end by itself: then nothing of it goes on when the end is told. */
const endTimeoutMs = 1_500;

/**
 * Runs a job that carries a bundle to a destination; never throws. There is no process for it: nothing of its content is
 * read here, and what does read content has no network.
 */
export async function runTransfer(run: TransferRun): Promise<void> {
  let working: Promise<unknown> = Promise.resolve();
  await runAttempt(run, {
    async work({ client, job, report, signal }) {
      const { runnerName, egressPolicy, publishFolder } = run;
      const message = `Attempt ${job.attempt} runs on ${runnerName}.`;
      report.log({ at: new Date().toISOString(), level: 'info', message });
      const publishing = publish({ client, job, report, signal, egressPolicy, publishFolder });
      working = publishing.catch(() => {});
      const found = await publishing;
      await report.reportEnd();
      const params = { jobId: job.jobId };
      const body = { report: { ...found }, warnings: report.allWarnings() };
      await withRetry(signal, () => client.postRunnerJobComplete({ params, body }));
    },
    async beforeEnd() {
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, endTimeoutMs);
      await Promise.race([working, over]);
      clearTimeout(timer);
    },
    async afterwards() {
      await working;
    },
  });
}
