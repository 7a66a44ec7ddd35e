import type { App, Publicity } from '@platen/contract/apps';

/** What somebody wants an app to show, to whom and when. */
export interface PublishWish {
  readonly who: 'members' | 'guests' | 'everybody';
  /** A release of what the modules are now, what is shown anyhow, or whatever the modules are at any time. */
  readonly shows: 'new' | 'kept' | 'live';
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

export interface PublishPlan {
  /** Take it from the public first. */
  readonly withdraws: boolean;
  /** Make a release; whether it is shown at once. */
  readonly release: 'shown' | 'later' | undefined;
  /** Show no release any more, at once. */
  readonly unpins: boolean;
  /** Make it public; `newRelease` where the release that was just made is to be named. */
  readonly publicity:
    | (Omit<Publicity, 'releaseId'> & { readonly shows?: 'newRelease' | 'modules' })
    | undefined;
}

type Now = Pick<App, 'isPublic' | 'publicFrom' | 'publicUntil' | 'releaseId'>;

/** The requests that lead from what an app is to what is wanted. Nothing is seen by anybody before its time. */
export function planOf(app: Now, { who, shows, from, until }: PublishWish, now: Date): PublishPlan {
  const isOpen = who === 'everybody';
  const isLater = isOpen && from !== undefined && new Date(from) > now;
  const isSetPublic = app.isPublic || app.publicFrom !== undefined || app.publicUntil !== undefined;
  const named = shows === 'new' ? 'newRelease' : shows === 'live' && app.releaseId ? 'modules' : undefined;
  return {
    withdraws: !isOpen && isSetPublic,
    release: shows === 'new' ? (isLater ? 'later' : 'shown') : undefined,
    unpins: shows === 'live' && app.releaseId !== undefined && !isLater,
    publicity: isOpen
      ? {
          ...(isLater && { from }),
          ...(until !== undefined && { until }),
          ...(isLater && named !== undefined && { shows: named }),
        }
      : undefined,
  };
}

/** What is wrong with the times. */
export function timeProblem({ from, until }: PublishWish, now: Date): 'past' | 'order' | undefined {
  if (until === undefined) return undefined;
  if (new Date(until) <= now) return 'past';
  return from !== undefined && until <= from ? 'order' : undefined;
}
