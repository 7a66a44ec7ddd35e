import type { App } from '@platen/contract/apps';

export type AppState = 'public' | 'scheduled' | 'released' | 'draft';

type AppVisibility = Pick<App, 'isPublic' | 'publicFrom' | 'publicUntil' | 'releaseId'>;

/** The app's main visibility state. */
export function stateOf({ isPublic, publicFrom, releaseId }: AppVisibility): AppState {
  if (isPublic) return 'public';
  if (publicFrom !== undefined) return 'scheduled';
  return releaseId === undefined ? 'draft' : 'released';
}

/** The app's map URL; adds the host when the stored URL has none. */
export const mapAddress = ({ url }: Pick<App, 'url'>, origin: string) => new URL(url, origin).href;

/** The path of the app's draft, for those who may read it. */
export const draftPath = (appId: string) => `/app/${appId}/draft/`;

/** The path of the link picture; it changes with every revision, so that no stale picture is cached. */
export const picturePath = ({ _id, revision }: Pick<App, '_id' | 'revision'>, taken = 0) =>
  `/app/${_id}/preview.png?v=${revision}-${taken}`;
