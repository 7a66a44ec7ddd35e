import type { Destination } from '../destinations/destination.ts';
import { removeJournal, writeJournal, type Held, type Journal } from './records.ts';

/**
 * The journal is written as a whole, so less often in long runs. Work since the last write is repeated after a crash.
 */
const pauses = { firstMs: 1_000, maxMs: 30_000 };
/** Maximum share of the time that is spent on writing the journal. */
const shareOfTime = 0.05;

export interface JournalKeeper {
  /** Records a file that is now at the destination. */
  note(path: string, held: Held): void;
  /** Writes the journal, if the destination still accepts it. */
  save(): Promise<void>;
  remove(): Promise<void>;
}

/** Records the files about to be changed, and then regularly those that have been. */
export async function keepJournal(destination: Destination, before: Journal): Promise<JournalKeeper> {
  const touched = new Map(before);
  let pauseMs = pauses.firstMs / 2;
  let writtenAt = 0;
  let writing: Promise<void> | undefined;
  const write = async () => {
    const from = performance.now();
    await writeJournal(destination, new Map(touched));
    writtenAt = performance.now();
    pauseMs = Math.max(Math.min(pauseMs * 2, pauses.maxMs), (writtenAt - from) / shareOfTime);
  };
  await write();
  return {
    note(path, held) {
      touched.set(path, held);
      if (writing || performance.now() - writtenAt < pauseMs) return;
      writing = write()
        .catch(() => {}) // the next request to the destination fails as well, and reports why
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
