import type { App } from '@platen/contract/apps';
import { loadContent, type MapContent } from '../content.ts';
import { viewerModules } from '../load.ts';
import type { Db } from '../../base/database/database.ts';
import { findConfig } from '../releases/send-stored.ts';
import { foreignHosts } from './foreign-hosts.ts';

/** What the page of an app has to say of what it shows. */
export interface PageContent extends Pick<MapContent, 'name' | 'description' | 'engineVersion'> {
  /** The foreign hosts that its layers name. */
  readonly hosts: readonly string[];
}

/** Of what the app shows: of a release without a look at its modules. @throws Failure `too_large` */
export async function currentPageContent(db: Db, app: App): Promise<PageContent> {
  const stored = app.releaseId === undefined ? undefined : await findConfig(db, app, app.releaseId);
  return stored ?? pageContentOf(db, app, await loadContent(db, app, 'current'));
}

export async function pageContentOf(db: Db, { projectId }: App, shown: MapContent): Promise<PageContent> {
  const { name, description, engineVersion } = shown;
  const hosts = foreignHosts(await viewerModules(db, projectId, shown));
  return { name, description, engineVersion, hosts };
}
