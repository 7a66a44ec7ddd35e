import type { App } from '@platen/contract/apps';

export type AppState = 'public' | 'scheduled' | 'released' | 'draft';

type Shown = Pick<App, 'isPublic' | 'publicFrom' | 'publicUntil' | 'releaseId'>;

/** What matters most of who sees an app, and what of it. */
export function stateOf({ isPublic, publicFrom, releaseId }: Shown): AppState {
  if (isPublic) return 'public';
  if (publicFrom !== undefined) return 'scheduled';
  return releaseId === undefined ? 'draft' : 'released';
}

/** The address of its map, with the host where it has none of its own. */
export const mapAddress = ({ url }: Pick<App, 'url'>, origin: string) => new URL(url, origin).href;

/** The address of the draft of an app, for those who may read it. */
export const draftPath = (appId: string) => `/app/${appId}/draft/`;

/** What links to it are shown with; another address after each change, so that no old picture is shown. */
export const picturePath = ({ _id, revision }: Pick<App, '_id' | 'revision'>, taken = 0) =>
  `/app/${_id}/preview.png?v=${revision}-${taken}`;
