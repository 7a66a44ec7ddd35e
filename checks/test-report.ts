/** The counts of Node's test runner. */
export interface Counts {
  tests: number;
  suites: number;
  pass: number;
  fail: number;
  cancelled: number;
  skipped: number;
  todo: number;
}

/** The results of one test file, as a worker sends them. */
export interface FileReport {
  readonly file: string;
  readonly isPassed: boolean;
  /** The output of Node's spec reporter. */
  readonly text: string;
  /** The failed tests once more, for the end of the run; empty when there are none. */
  readonly failures: string;
  /** Why tests were skipped. */
  readonly skips: readonly string[];
  /** Counts of the tests in the file, without the file itself. */
  readonly counts: Counts;
  readonly ms: number;
  /** Of the worker and of what it has started, for these tests or for several files. */
  readonly cpuSeconds: number;
}

export function noCounts(): Counts {
  return { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
}

export function addCounts(to: Counts, more: Counts): void {
  for (const name of Object.keys(to) as (keyof Counts)[]) to[name] += more[name];
}

/** A file whose process did not survive it. */
export function failedFile(file: string, ms: number, reason: string): FileReport {
  const text = `✖ ${file}\n  ${reason}\n`;
  const counts = { ...noCounts(), tests: 1, fail: 1 };
  return { file, isPassed: false, text, failures: text, skips: [], counts, ms, cpuSeconds: 0 };
}

const costliestCount = 20;
/** Less is not worth a line. */
const minCostSeconds = 1;

/** The results of a run, however many processes took part in it. */
export class TestResults {
  isPassed = true;
  readonly #counts = noCounts();
  readonly #failures: string[] = [];
  readonly #skips = new Map<string, number>();
  readonly #reports: Pick<FileReport, 'file' | 'ms' | 'cpuSeconds'>[] = [];
  readonly #startedAt = performance.now();

  /** Returns the text to print for this file. */
  add(report: FileReport, group: string): string {
    const { file, ms, cpuSeconds } = report;
    this.#reports.push({ file, ms, cpuSeconds });
    addCounts(this.#counts, report.counts);
    for (const reason of report.skips) this.#skips.set(reason, (this.#skips.get(reason) ?? 0) + 1);
    if (!report.isPassed) {
      this.isPassed = false;
      this.#failures.push(`${report.file} (${group})\n${report.failures}`);
    }
    return `${cpuSeconds.toFixed(1)} s of CPU: ${report.text}`;
  }

  fail(reason: string): void {
    this.isPassed = false;
    this.#failures.push(`✖ ${reason}\n`);
  }

  /** Something that this machine cannot do. CI has all that is needed: there it is a failure. */
  skip(what: string): void {
    this.#skips.set(what, 1);
    if (process.env['CI'] === 'true') this.fail(`Skipped in CI: ${what}`);
  }

  /** Ends with the lines with which Node's test runner ends. */
  summary(): string {
    const skips = [...this.#skips].map(([reason, count]) => `▶▶ SKIPPED ${count}× ${reason}\n`);
    const lines = [...Object.entries(this.#counts), ['duration_ms', performance.now() - this.#startedAt]];
    const failures = this.#failures.length > 0 ? `\n✖ failed:\n\n${this.#failures.join('\n')}` : '';
    return `${failures}\n${this.#costliest()}\n${skips.join('')}\n${lines.map(([name, value]) => `ℹ ${name} ${value}\n`).join('')}`;
  }
  /** Where the time of the suite goes. */
  #costliest(): string {
    const total = this.#reports.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
    const lines = this.#reports
      .filter(({ cpuSeconds }) => cpuSeconds >= minCostSeconds)
      .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
      .slice(0, costliestCount)
      .map(({ file, ms, cpuSeconds }) => {
        const [cpu, elapsed] = [cpuSeconds, ms / 1000].map((seconds) => seconds.toFixed(1).padStart(6));
        return `▶▶ ${cpu} s of CPU, ${elapsed} s: ${file}\n`;
      });
    if (lines.length === 0) return '';
    return `▶▶ ${Math.round(total)} s of CPU, without the database server. The costliest files:\n${lines.join('')}`;
  }
}
