import type { Logger } from 'pino';
import { isDatabaseAway } from './database/is-database-away.ts';

/** While something keeps failing, it is logged once in this time. */
const repeatMs = 60_000;
/** Queries on several broken connections may still fail after the first one that succeeded. */
const settleMs = 1000;
const databaseAway = 'the database cannot be reached: background work waits for it';

/** Logs failures of work that is repeated all the time: when they begin, at most once a minute, and when they end. */
export interface BackgroundFailures {
  /** @param failure describes what failed, and identifies the work */
  report(failure: string, error: unknown): void;
  /** The work whose failure would be this one has succeeded. */
  succeeded(failure: string): void;
}

interface Outage {
  readonly since: number;
  loggedAt: number;
  lastAt: number;
  count: number;
}

/** @param clock in milliseconds */
export function createBackgroundFailures(
  log: Pick<Logger, 'error' | 'info'>,
  clock: () => number = () => performance.now(),
): BackgroundFailures {
  // all work fails while the database is away: that is one outage
  const outages = new Map<string, Outage>();

  const end = (failure: string, at: number) => {
    const outage = outages.get(failure);
    if (!outage || at - outage.lastAt < settleMs) return;
    outages.delete(failure);
    const { count, since } = outage;
    log.info({ failures: count, seconds: Math.round((at - since) / 1000) }, `over: ${failure}`);
  };

  return {
    report(failure, error) {
      const at = clock();
      const key = isDatabaseAway(error) ? databaseAway : failure;
      const outage = outages.get(key) ?? { since: at, loggedAt: -Infinity, lastAt: at, count: 0 };
      outages.set(key, outage);
      outage.lastAt = at;
      outage.count++;
      if (at - outage.loggedAt < repeatMs) return;
      outage.loggedAt = at;
      log.error({ err: error, failures: outage.count }, key);
    },
    succeeded(failure) {
      if (outages.size === 0) return;
      const at = clock();
      end(databaseAway, at);
      end(failure, at);
    },
  };
}

const shared = new WeakMap<Logger, BackgroundFailures>();

/** Those of all background work with this log. */
export function backgroundFailuresOf(log: Logger): BackgroundFailures {
  const known = shared.get(log) ?? createBackgroundFailures(log);
  shared.set(log, known);
  return known;
}
