import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { workerVariable } from './clean-up.ts';
import { failedFile, type FileReport } from './test-report.ts';

/** Test files that may share a process. */
export interface TestGroup {
  readonly name: string;
  readonly files: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Workers of this group at the same time. */
  readonly maxWorkers: number;
  /** Files that one process runs before it makes way for a new one. */
  readonly filesPerWorker: number;
  /** About how long a file takes beside others, to have all groups end at the same time. */
  readonly secondsPerFile: number;
}

interface Queue {
  readonly group: TestGroup;
  readonly waiting: string[];
  workers: number;
}

/** `npm run torture` repeats more, and takes longer. */
const fileLimitMinutes = Number(process.env['PLATEN_TEST_FILE_MINUTES'] ?? 8);
const fileLimitMs = fileLimitMinutes * 60_000;
const stopLimitMs = 10_000;
/** Bundles of packages with hundreds of modules, as services load them. */
const packages = import.meta.resolve('../server/base/packages/load.ts');
const flags = [
  // as collectGarbageAbove sets it later: with other flags V8 refuses the compiled code that is kept
  '--expose-gc',
  `--import=${packages}`,
  '--disable-warning=ExperimentalWarning',
  `--test-reporter=${import.meta.resolve('./test-worker-reporter.ts')}`,
  '--test-reporter-destination=stdout',
];

/** Runs all groups in `slots` processes at a time, each of which takes the next file of its group when it has done one. */
export class TestPool {
  readonly #queues: Queue[];
  readonly #children = new Set<ChildProcess>();
  readonly #report: (report: FileReport, group: TestGroup) => void;
  #isStopped = false;

  constructor(groups: readonly TestGroup[], report: (report: FileReport, group: TestGroup) => void) {
    this.#queues = groups.map((group) => ({ group, waiting: [...group.files], workers: 0 }));
    this.#report = report;
  }

  async run(slots: number): Promise<void> {
    await Promise.all(Array.from({ length: slots }, () => this.#fillSlot()));
  }

  /** Asks the workers to clean up and end, and kills those that do not. */
  stop(signal: NodeJS.Signals): void {
    this.#isStopped = true;
    for (const child of this.#children) child.kill(signal);
    setTimeout(() => this.#children.forEach(killGroup), stopLimitMs).unref();
  }

  async #fillSlot(): Promise<void> {
    for (;;) {
      // so that tests that wait and tests that compute run side by side to the end, not one kind after the other
      const [queue] = this.#queues
        .filter((it) => it.waiting.length > 0 && it.workers < it.group.maxWorkers)
        .toSorted((a, b) => secondsLeft(b) - secondsLeft(a));
      if (!queue || this.#isStopped) return;
      queue.workers++;
      await this.#work(queue.group, queue.waiting).finally(() => queue.workers--);
    }
  }

  /** One process from its start to its end. */
  async #work(group: TestGroup, waiting: string[]): Promise<void> {
    const worker = spawn(process.execPath, [...flags, 'checks/test-worker.ts'], {
      env: { ...group.env, [workerVariable]: '1' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true, // leads a process group of its own, with all that its tests start
    });
    this.#children.add(worker);
    const exited = once(worker, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    let file: string | undefined;
    for (let count = 0; count < group.filesPerWorker && !this.#isStopped; count++) {
      file = waiting.shift();
      if (file === undefined) break;
      const startedAt = performance.now();
      const report = await resultOf(worker, exited, file);
      if (typeof report === 'string') {
        if (!this.#isStopped) this.#report(failedFile(file, performance.now() - startedAt, report), group);
        break;
      }
      this.#report(report, group);
    }
    if (worker.connected) worker.disconnect();
    await exited;
    killGroup(worker);
    this.#children.delete(worker);
  }
}

/** Until one more worker and those at work have done what waits. */
function secondsLeft({ group, waiting, workers }: Queue): number {
  return (waiting.length * group.secondsPerFile) / (workers + 1);
}

/** Kills what the tests of a worker have started and left behind, such as services when the worker was killed. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // nothing is left
  }
}

/**
 * Tests that are declared after an `await` of something that an earlier file began belong to that file: they would run
 * beside those of other files, and nobody would see how they end.
 */
function problemOf({ file: reported, isPassed, counts }: FileReport, file: string): string | undefined {
  if (reported !== file) return `A test was declared outside of its file: ${reported}. The worker ends.`;
  if (!isPassed || counts.tests > 0) return undefined;
  return 'The file has no tests, or declared them too late: await nothing at its top level that another file began.';
}

/** Returns a text with the reason if there is no report. */
async function resultOf(
  worker: ChildProcess,
  exited: Promise<[number | null, NodeJS.Signals | null]>,
  file: string,
): Promise<FileReport | string> {
  const limit = setTimeout(() => worker.kill('SIGKILL'), fileLimitMs);
  const startedAt = performance.now();
  const reported = once(worker, 'message').then(([message]) => message as FileReport);
  worker.send(file, () => {}); // a worker that has ended says so by its exit
  const gone = exited.then(([code, signal]) =>
    performance.now() - startedAt > fileLimitMs
      ? `The file took longer than ${fileLimitMinutes} minutes and was stopped.`
      : `The process of this file ended with ${signal ?? code} before its tests did.`,
  );
  try {
    const report = await Promise.race([reported, gone]);
    return typeof report === 'string' ? report : (problemOf(report, file) ?? report);
  } finally {
    clearTimeout(limit);
  }
}
