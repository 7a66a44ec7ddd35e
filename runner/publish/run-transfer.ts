import { reportComplete, runAttempt } from '../attempt.ts';
import type { RunnerJobRun } from '../runner-job.ts';
import { publish } from './publish.ts';

/** Aborted requests get this long to end, so that nothing runs any more when the end is reported. */
const endTimeoutMs = 1_500;

/** Runs a publishing job; never throws. It needs no sandboxed process, as it parses no content of the bundle. */
export async function runTransfer(run: RunnerJobRun): Promise<void> {
  let working: Promise<unknown> = Promise.resolve();
  await runAttempt(run, {
    async work(attempting) {
      const { client, job, report, signal } = attempting;
      const { runnerName, egressPolicy, publishFolder } = run;
      const message = `Attempt ${job.attempt} runs on ${runnerName}.`;
      report.log({ at: new Date().toISOString(), level: 'info', message });
      const publishing = publish({ client, job, report, signal, egressPolicy, publishFolder });
      working = publishing.catch(() => {});
      const found = await publishing;
      await reportComplete(attempting, { report: { ...found } });
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
