import { sizeText } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import type { LocalFile } from './list-files.ts';

type Sized = Pick<LocalFile, 'key' | 'size'>;

const refreshMs = 200;

/** The status line of an interactive terminal: files, bytes and rate. */
export class UploadProgress {
  readonly #terminal: Terminal;
  readonly #files: number;
  readonly #total: number;
  readonly #running = new Map<string, number>();
  readonly #start = performance.now();
  #ended = 0;
  #endedBytes = 0;
  /** Bytes that arrived before, which say nothing about the rate. */
  #before = 0;
  #shownAt = 0;

  constructor(terminal: Terminal, files: readonly Sized[]) {
    this.#terminal = terminal;
    this.#files = files.length;
    this.#total = files.reduce((sum, { size }) => sum + size, 0);
  }

  /** Receives the progress of a file. */
  of({ key }: Sized): { onProgress: (bytes: number) => void; onRetry: (reason: string) => void } {
    return {
      onProgress: (bytes) => {
        if (!this.#running.has(key)) this.#before += bytes;
        this.#running.set(key, bytes);
        this.#show(key);
      },
      onRetry: (reason) => this.#terminal.note(`${key}: trying again. ${reason}`),
    };
  }

  end({ key, size }: Sized): void {
    if (!this.#running.delete(key)) this.#before += size;
    this.#ended += 1;
    this.#endedBytes += size;
  }

  #show(key: string): void {
    const now = performance.now();
    if (now - this.#shownAt < refreshMs) return;
    this.#shownAt = now;
    const bytes = this.#running.values().reduce((sum, sent) => sum + sent, this.#endedBytes);
    const share = this.#total === 0 ? 100 : Math.floor((bytes / this.#total) * 100);
    const rate = Math.max(0, bytes - this.#before) / ((now - this.#start) / 1000);
    const files = `${this.#ended} of ${this.#files} files`;
    this.#terminal.status(
      `${files}, ${share} % of ${sizeText(this.#total)}, ${sizeText(rate)}/s, ${key.split('/').at(-1)}`,
    );
  }
}
