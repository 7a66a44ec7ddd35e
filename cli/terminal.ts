import type { Readable, Writable } from 'node:stream';
import { printable } from './printable.ts';

type Stream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What a command reads from and writes to; tests pass their own. */
export interface Streams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Stream;
  readonly errors: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Results for people or, with `--json`, for programs. Control characters are escaped in all of it. */
export class Terminal {
  readonly streams: Streams;
  readonly isJson: boolean;
  #hasStatus = false;

  constructor(streams: Streams, isJson: boolean) {
    this.streams = streams;
    this.isJson = isJson;
  }

  get env(): Streams['env'] {
    return this.streams.env;
  }

  get signal(): AbortSignal {
    return this.streams.signal;
  }

  /** A line of the result; not with `--json`. */
  line(text: string): void {
    if (this.isJson) return;
    this.clearStatus();
    this.streams.output.write(`${printable(text)}\n`);
  }

  /** The result with `--json`, or one of its lines. */
  json(value: unknown): void {
    if (this.isJson) this.streams.output.write(`${printable(JSON.stringify(value))}\n`);
  }

  /** A line about the command itself, on standard error. */
  note(text: string): void {
    this.clearStatus();
    this.streams.errors.write(`${printable(text)}\n`);
  }

  /** Why the command failed. */
  error(message: string): void {
    for (const [index, line] of message.split('\n').entries())
      this.note(index === 0 ? `platen: ${line}` : line);
  }

  /** Replaces the last line of an interactive terminal. */
  status(text: string): void {
    if (!this.showsStatus) return;
    const { columns = 80 } = this.streams.errors;
    this.streams.errors.write(`\r\u001B[K${printable(text).slice(0, columns - 1)}`);
    this.#hasStatus = true;
  }

  get showsStatus(): boolean {
    return this.streams.errors.isTTY === true && !this.isJson;
  }

  /** Removes the status line. */
  clearStatus(): void {
    if (this.#hasStatus) this.streams.errors.write('\r\u001B[K');
    this.#hasStatus = false;
  }
}
