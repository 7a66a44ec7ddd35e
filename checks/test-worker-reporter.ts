import { spec, type TestEvent } from 'node:test/reporters';
import { cpuSeconds } from './cpu-seconds.ts';
import { addCounts, noCounts, type Counts, type FileReport } from './test-report.ts';

/** A reporter of Node's test runner, inside a worker: sends a FileReport whenever a file, which is a suite there, has ended. */
// oxlint-disable-next-line import/no-default-export -- the runner takes reporters so
export default async function* sendReports(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let cpuBefore = cpuSeconds();
  let report = newReport();
  for await (const event of events) {
    const ended = report.add(event);
    if (!ended) continue;
    const cpuNow = cpuSeconds();
    process.send?.({ ...ended, cpuSeconds: cpuNow - cpuBefore } satisfies FileReport);
    cpuBefore = cpuNow;
    report = newReport();
    yield '';
  }
}

function newReport() {
  const reporter = new spec();
  const counts = noCounts();
  const skips: string[] = [];
  let text = '';
  const write = (event: TestEvent): string => {
    reporter.write(event);
    return String(reporter.read() ?? '');
  };
  return {
    add(event: TestEvent): Omit<FileReport, 'cpuSeconds'> | undefined {
      if (event.type === 'test:summary') return undefined;
      text += write(event);
      if (event.type !== 'test:pass' && event.type !== 'test:fail') return undefined;
      if (event.data.nesting > 0) {
        addCounts(counts, countsOf(event));
        if (typeof event.data.skip === 'string') skips.push(event.data.skip);
        return undefined;
      }
      const isPassed = event.type === 'test:pass';
      // a file that could not be run has no tests, and yet it failed
      if (!isPassed && counts.fail + counts.cancelled === 0) addCounts(counts, oneFailed);
      const failures = write({ type: 'test:summary', data: { success: isPassed } } as TestEvent);
      const { name, details } = event.data;
      return {
        file: name,
        isPassed,
        text,
        failures,
        skips,
        counts,
        ms: details.duration_ms,
      };
    },
  };
}

const oneFailed: Counts = { ...noCounts(), tests: 1, fail: 1 };
const cancelledTypes = new Set(['cancelledByParent', 'testAborted', 'testTimeoutFailure']);

/** One test or suite, counted as Node's runner does. */
function countsOf({ type, data }: Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>): Counts {
  const counts = noCounts();
  if (data.details.type === 'suite') return { ...counts, suites: 1 };
  const { error } = data.details as { error?: { failureType?: string } };
  counts.tests = 1;
  if (data.skip !== undefined) counts.skipped = 1;
  else if (data.todo !== undefined) counts.todo = 1;
  else if (cancelledTypes.has(error?.failureType ?? '')) counts.cancelled = 1;
  else if (type === 'test:fail') counts.fail = 1;
  else counts.pass = 1;
  return counts;
}
