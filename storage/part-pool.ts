/** Memory shared by all uploads. Requests wait until enough is free, first come first served. */
export interface PartPool {
  /** @throws the signal's reason if it aborts before there is room */
  take(bytes: number, signal?: AbortSignal): Promise<PartBuffer>;
}

export interface PartBuffer {
  readonly bytes: Buffer;
  /**
   * Called once if others have waited long and this buffer was held long: the holder stores its bytes elsewhere and
   * releases it. Undefined while that is impossible.
   */
  onReclaim: (() => void) | undefined;
  /** Releasing twice is not an error. */
  release(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly since: number;
  readonly go: (buffer: PartBuffer) => void;
}

/** Holds at most `limitBytes`, which is also the maximum of a single request. */
export function openPartPool({
  limitBytes,
  patienceMs: reclaimAfterMs,
}: {
  limitBytes: number;
  patienceMs: number;
}): PartPool {
  let takenBytes = 0;
  const spare: Buffer[] = [];
  const waiting = new Set<Waiting>();
  const held = new Map<PartBuffer, number>(); // start of holding; oldest first

  function handOut(size: number): PartBuffer {
    takenBytes += size;
    const at = spare.findIndex((it) => it.length === size);
    if (at < 0) spare.length = 0; // other sizes would exceed the limit
    const bytes = at < 0 ? Buffer.allocUnsafeSlow(size) : spare.splice(at, 1)[0]!;
    const buffer: PartBuffer = {
      bytes,
      onReclaim: undefined,
      release() {
        if (!held.delete(buffer)) return;
        takenBytes -= size;
        spare.push(bytes);
        serve();
      },
    };
    held.set(buffer, Date.now());
    return buffer;
  }

  function serve(): void {
    for (const it of waiting) {
      if (takenBytes + it.bytes > limitBytes) return;
      waiting.delete(it);
      it.go(handOut(it.bytes));
    }
  }

  function reclaim(): void {
    const long = Date.now() - reclaimAfterMs;
    let hasLongWaiting = [...waiting].filter(({ since }) => since <= long).length;
    for (const [buffer, since] of held) {
      if (hasLongWaiting <= 0 || since > long) return;
      const ask = buffer.onReclaim;
      if (!ask) continue;
      buffer.onReclaim = undefined;
      ask();
      hasLongWaiting--;
    }
  }

  const timer = setInterval(() => {
    reclaim();
    if (held.size === 0) spare.length = 0; // released to the system once a burst is over
  }, reclaimAfterMs / 4);
  timer.unref();

  return {
    async take(bytes, signal) {
      signal?.throwIfAborted();
      if (waiting.size === 0 && takenBytes + bytes <= limitBytes) return handOut(bytes);
      return await new Promise((resolve, reject) => {
        const onAbort = () => {
          waiting.delete(it);
          reject(signal?.reason as Error);
          serve();
        };
        const go = (buffer: PartBuffer) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(buffer);
        };
        const it: Waiting = { bytes, since: Date.now(), go };
        waiting.add(it);
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
