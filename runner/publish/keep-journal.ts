import type { Destination } from '../destinations/destination.ts';
import { removeJournal, writeJournal, type Held, type Journal } from './records.ts';

/** Seldom in long runs: it is written as a whole. What a run that dies has done since is done again. */
const pauses = { firstMs: 1_000, longestMs: 30_000 };
/** It may take that share of the time. */
const shareOfTime = 0.05;

export interface JournalKeeper {
  /** That is what lies there from now on. */
  note(path: string, held: Held): void;
  /** Writes what has been done, as far as that can be written any more. */
  save(): Promise<void>;
  remove(): Promise<void>;
}

/** Writes what is about to be touched, and then, now and again, what has been done. */
export async function keepJournal(destination: Destination, before: Journal): Promise<JournalKeeper> {
  const touched = new Map(before);
  let pauseMs = pauses.firstMs / 2;
  let writtenAt = 0;
  let writing: Promise<void> | undefined;
  const write = async () => {
    const from = performance.now();
    await writeJournal(destination, new Map(touched));
    writtenAt = performance.now();
    pauseMs = Math.max(Math.min(pauseMs * 2, pauses.longestMs), (writtenAt - from) / shareOfTime);
  };
  await write();
  return {
    note(path, held) {
      touched.set(path, held);
      if (writing || performance.now() - writtenAt < pauseMs) return;
      writing = write()
        .catch(() => {}) // what comes next at the destination fails, too, and tells why
        .finally(() => (writing = undefined));
    },
    async save() {
      await writing;
      await write().catch(() => {});
    },
    async remove() {
      await writing;
      await removeJournal(destination);
    },
  };
}
