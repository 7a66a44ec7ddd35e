/** The memory that all uploads share. Whoever asks for some waits until there is some, first come first served. */
export interface PartPool {
  /** @throws the signal's reason, when that aborts before there is room */
  take(bytes: number, signal?: AbortSignal): Promise<PartBuffer>;
}

export interface PartBuffer {
  readonly bytes: Buffer;
  /**
   * Called once, when others have waited for long and this one was held for long: whoever holds it puts its bytes
   * elsewhere and releases it. `undefined` while that cannot be.
   */
  onWanted: (() => void) | undefined;
  /** A second time is no error. */
  release(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly since: number;
  readonly go: (buffer: PartBuffer) => void;
}

/** Holds `limitBytes` at most, which is also the most that may be asked for at once. */
export function openPartPool({
  limitBytes,
  patienceMs,
}: {
  limitBytes: number;
  patienceMs: number;
}): PartPool {
  let takenBytes = 0;
  const spare: Buffer[] = [];
  const waiting = new Set<Waiting>();
  const held = new Map<PartBuffer, number>(); // since when; the oldest first

  function handOut(size: number): PartBuffer {
    takenBytes += size;
    const at = spare.findIndex((it) => it.length === size);
    if (at < 0) spare.length = 0; // of another size: they would come on top of the limit
    const bytes = at < 0 ? Buffer.allocUnsafeSlow(size) : spare.splice(at, 1)[0]!;
    const buffer: PartBuffer = {
      bytes,
      onWanted: undefined,
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

  function askBack(): void {
    const long = Date.now() - patienceMs;
    let wanted = [...waiting].filter(({ since }) => since <= long).length;
    for (const [buffer, since] of held) {
      if (wanted <= 0 || since > long) return;
      const ask = buffer.onWanted;
      if (!ask) continue;
      buffer.onWanted = undefined;
      ask();
      wanted--;
    }
  }

  const timer = setInterval(() => {
    askBack();
    if (held.size === 0) spare.length = 0; // goes back to the system once a burst is over
  }, patienceMs / 4);
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
