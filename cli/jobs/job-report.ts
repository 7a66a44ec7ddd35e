import { hasEnded, type Job, type JobProgress } from '@platen/contract/jobs';
import type { Terminal } from '../terminal.ts';
import { stateText } from './state-text.ts';

interface LogLine {
  readonly at: string;
  readonly level: string;
  readonly message: string;
}

/** Tells people what changes about a job: each state, phase and warning once, and every line of its log. */
export class JobReport {
  readonly #terminal: Terminal;
  readonly #warnings = new Set<string>();
  #state = '';
  #phase = '';
  #tenths = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  add(event: string, data: unknown, job: Job): void {
    if (event === 'log') this.#addLine(data as LogLine);
    if (event === 'job' || event === 'change') this.#addChange(job);
  }

  #addLine({ at, level, message }: LogLine): void {
    const time = new Date(at).toLocaleTimeString('en-GB');
    const text = `${time} ${level === 'info' ? '' : `${level}: `}${message}`;
    for (const [index, line] of text.split('\n').entries())
      this.#terminal.line(index === 0 ? line : `  ${line}`);
  }

  #addChange({ _id, state, attempt, waitsFor, progress, warnings }: Job): void {
    const again = attempt > 1 ? ` (attempt ${attempt})` : '';
    const text = `${stateText[state]}${again}${waitsFor ? `: ${waitsFor.message}` : ''}`;
    if (!hasEnded(state) && text !== this.#state) this.#terminal.line(`Job ${_id} is ${text}`);
    this.#state = text;
    if (progress) this.#addProgress(progress);
    for (const { code, message } of warnings) {
      if (!this.#warnings.has(code)) this.#terminal.line(`Warning: ${message} (${code})`);
      this.#warnings.add(code);
    }
  }

  /** Where the last line cannot be replaced, progress is written for each tenth of a phase. */
  #addProgress(progress: JobProgress): void {
    const { phase, done, total } = progress;
    if (phase !== this.#phase) this.#terminal.line(`Phase: ${phase}`);
    if (this.#terminal.showsStatus) this.#terminal.status(progressText(progress));
    const tenths = total > 0 ? Math.floor((done / total) * 10) : 0;
    const isNew = phase === this.#phase ? tenths > this.#tenths : tenths > 0;
    if (isNew && !this.#terminal.showsStatus) this.#terminal.line(progressText(progress));
    this.#phase = phase;
    this.#tenths = tenths;
  }
}

function progressText({ phase, done, total, unit = '', secondsLeft }: JobProgress): string {
  const share = total > 0 ? ` ${Math.floor((done / total) * 100)} %` : '';
  const amount = total > 0 ? ` (${done} of ${total}${unit && ` ${unit}`})` : ` ${done}${unit && ` ${unit}`}`;
  const left = secondsLeft === undefined ? '' : `, ${Math.round(secondsLeft)} s left`;
  return `${phase}:${share}${amount}${left}`;
}
