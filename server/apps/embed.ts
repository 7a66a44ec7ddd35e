import type { AppEmbed } from '@platen/contract/app-page';
import { escapeHtml } from '@platen/viewer/escape-html';
import { findPicture } from './app-pictures/store.ts';
import type { Context } from '../base/context.ts';
import { getApp, type AppPath } from './operations.ts';

/** `origin` is where visitors find maps. */
export async function describeEmbed(context: Context, where: AppPath, origin: string): Promise<AppEmbed> {
  const { name, url: address, frameOrigins, isPublic } = await getApp(context, where);
  const url = new URL(address, origin).href;
  const attributes = [
    `src="${escapeHtml(url)}"`,
    `title="${escapeHtml(name) || 'Map'}"`,
    'width="100%" height="600" style="border:0" loading="lazy"',
    'allow="fullscreen; geolocation; clipboard-write"',
  ];
  const hasPicture = (await findPicture(context.db, where.appId)) !== undefined;
  return { url, html: `<iframe ${attributes.join(' ')}></iframe>`, frameOrigins, isPublic, hasPicture };
}
