import type { App } from '@platen/contract/apps';
import { loadContent, type MapContent } from '../content.ts';
import { viewerModules } from '../load.ts';
import type { Db } from '../../base/database/database.ts';
import { findConfig } from '../releases/send-stored.ts';
import { foreignHosts } from './foreign-hosts.ts';

/** The content of an app that its page depends on. */
export interface PageContent extends Pick<MapContent, 'name' | 'description' | 'engineVersion'> {
  /** The foreign hosts that its layers name. */
  readonly hosts: readonly string[];
}

/** Reads the current content of an app. A release is read without loading its modules. @throws Failure `too_large` */
export async function currentPageContent(db: Db, app: App): Promise<PageContent> {
  const stored = app.releaseId === undefined ? undefined : await findConfig(db, app, app.releaseId);
  return stored ?? pageContentOf(db, app, await loadContent(db, app, 'current'));
}

export async function pageContentOf(db: Db, { projectId }: App, shown: MapContent): Promise<PageContent> {
  const { name, description, engineVersion } = shown;
  const hosts = foreignHosts(await viewerModules(db, projectId, shown));
  return { name, description, engineVersion, hosts };
}
