import type { App, Publicity } from '@platen/contract/apps';

/** The publication the user asks for: what the app shows, to whom and when. */
export interface PublishRequest {
  readonly who: 'members' | 'guests' | 'everybody';
  /** `new`: a release of the current modules; `kept`: whatever is visible now; `live`: the modules as they change. */
  readonly shows: 'new' | 'kept' | 'live';
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

export interface PublishPlan {
  /** Make it private first. */
  readonly withdraws: boolean;
  /** Create a release; `shown` makes it visible at once. */
  readonly release: 'shown' | 'later' | undefined;
  /** Stop showing a release, at once. */
  readonly unpins: boolean;
  /** Make it public; `newRelease` stands for the release created in the same run. */
  readonly visibility:
    | (Omit<Publicity, 'releaseId'> & { readonly shows?: 'newRelease' | 'modules' })
    | undefined;
}

type AppVisibility = Pick<App, 'isPublic' | 'publicFrom' | 'publicUntil' | 'releaseId'>;

/**
 * The requests that lead from the app's current state to the requested one. Nothing becomes visible before its time.
 */
export function planOf(
  app: AppVisibility,
  { who, shows, from, until }: PublishRequest,
  now: Date,
): PublishPlan {
  const isOpen = who === 'everybody';
  const isLater = isOpen && from !== undefined && new Date(from) > now;
  const isSetPublic = app.isPublic || app.publicFrom !== undefined || app.publicUntil !== undefined;
  const named = shows === 'new' ? 'newRelease' : shows === 'live' && app.releaseId ? 'modules' : undefined;
  return {
    withdraws: !isOpen && isSetPublic,
    release: shows === 'new' ? (isLater ? 'later' : 'shown') : undefined,
    unpins: shows === 'live' && app.releaseId !== undefined && !isLater,
    visibility: isOpen
      ? {
          ...(isLater && { from }),
          ...(until !== undefined && { until }),
          ...(isLater && named !== undefined && { shows: named }),
        }
      : undefined,
  };
}

/** What the public sees of an app: nothing, `release`, or the draft as it changes; `hidden`: a release that only others see. */
export function shownNow({ isPublic, releaseId }: AppVisibility): 'nothing' | 'hidden' | 'release' | 'draft' {
  if (isPublic) return releaseId === undefined ? 'draft' : 'release';
  return releaseId === undefined ? 'nothing' : 'hidden';
}

/** What is chosen at first: an app that shows its draft goes on to do so, others get a new release. */
export function firstShows(app: AppVisibility, mayRelease: boolean): PublishRequest['shows'] {
  if (shownNow(app) === 'draft') return 'live';
  return mayRelease || app.releaseId === undefined ? 'new' : 'kept';
}

/** What is wrong with the chosen times. */
export function timeProblem({ from, until }: PublishRequest, now: Date): 'past' | 'order' | undefined {
  if (until === undefined) return undefined;
  if (new Date(until) <= now) return 'past';
  return from !== undefined && until <= from ? 'order' : undefined;
}
