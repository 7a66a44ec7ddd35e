/** Eight chunks of a socket; hashing and writing them takes about a millisecond. */
const maxBytesPerTurn = 512 * 1024;

export interface LoopShare {
  /** Resolves when `bytes` may be processed: at once, or in a later turn of the event loop, in the order of calls. */
  take(bytes: number): Promise<void> | undefined;
}

/**
 * Limits how many bytes of all uploads together are processed in one turn of the event loop, so that other requests are
 * answered between two turns however many uploads there are. Uploads that wait do not read from their connections.
 */
export function createLoopShare(maxBytes = maxBytesPerTurn): LoopShare {
  const waiting: { readonly bytes: number; readonly resume: () => void }[] = [];
  let first = 0;
  let bytesInTurn = 0;
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(nextTurn);
  };

  const nextTurn = () => {
    isScheduled = false;
    bytesInTurn = 0;
    while (first < waiting.length && bytesInTurn < maxBytes) {
      const { bytes, resume } = waiting[first++]!;
      bytesInTurn += bytes;
      resume();
    }
    if (first === waiting.length) {
      waiting.length = 0;
      first = 0;
    } else if (first > 1000) {
      waiting.splice(0, first);
      first = 0;
    }
    if (bytesInTurn > 0) schedule();
  };

  return {
    take(bytes) {
      schedule();
      if (first === waiting.length && bytesInTurn < maxBytes) {
        bytesInTurn += bytes;
        return undefined;
      }
      return new Promise<void>((resume) => waiting.push({ bytes, resume }));
    },
  };
}

/** The share of the uploads of this process. */
export const uploadShare = createLoopShare();
