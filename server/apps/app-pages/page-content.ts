import type { App } from '@platen/contract/apps';
import { loadContent, type MapContent } from '../content.ts';
import { viewerModules } from '../load.ts';
import type { Db } from '../../base/database/database.ts';
import { findConfig } from '../releases/send-stored.ts';
import { foreignHosts } from './foreign-hosts.ts';
import { unreleasedConfig } from './unreleased-config.ts';

/** The content of an app that its page depends on. */
export interface PageContent extends Pick<MapContent, 'name' | 'description' | 'engineVersion'> {
  /** The foreign hosts that its layers name. */
  readonly hosts: readonly string[];
  /** Of its configuration, if that is kept. */
  readonly etag?: string;
}

/**
 * Reads the current content of an app. That of a public one is kept, and a release is read without loading its modules.
 * @throws Failure `too_large`
 */
export async function currentPageContent(db: Db, app: App): Promise<PageContent> {
  if (app.isPublic && app.releaseId === undefined) return unreleasedConfig(db, app);
  const stored = app.releaseId === undefined ? undefined : await findConfig(db, app, app.releaseId);
  return stored ?? pageContentOf(db, app, await loadContent(db, app, 'current'));
}

export async function pageContentOf(db: Db, { projectId }: App, shown: MapContent): Promise<PageContent> {
  const { name, description, engineVersion } = shown;
  const hosts = await foreignHosts(await viewerModules(db, projectId, shown));
  return { name, description, engineVersion, hosts };
}
