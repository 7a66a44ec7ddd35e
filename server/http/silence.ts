import type { FastifyRequest } from 'fastify';

export interface Silence {
  /** Waits for the client; not for ever. */
  during<T>(waiting: Promise<T>): Promise<T>;
  end(): void;
}

/**
 * Cuts a client off that sends nothing for `idleMs`. Only its own silence counts: while our disk is slow, nobody is
 * waited for.
 */
export function watchSilence(request: FastifyRequest, idleMs: number): Silence {
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
