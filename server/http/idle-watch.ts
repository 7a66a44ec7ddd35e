import type { FastifyRequest } from 'fastify';

export interface IdleWatch {
  /** Waits for data of the client, up to the timeout. */
  during<T>(waiting: Promise<T>): Promise<T>;
  end(): void;
}

/**
 * Disconnects a client that sends nothing for `idleMs`. Counts only the time that we wait for the client, not that of
 * our
 * own disk.
 */
export function watchIdle(request: FastifyRequest, idleMs: number): IdleWatch {
  const timer = setTimeout(() => {
    if (waits > 0) request.raw.destroy();
  }, idleMs);
  let waits = 0;
  return {
    async during(waiting) {
      waits++;
      timer.refresh();
      try {
        return await waiting;
      } finally {
        waits--;
      }
    },
    end: () => clearTimeout(timer),
  };
}
