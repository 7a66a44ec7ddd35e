import type { Datasource } from '@platen/contract/datasources';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../base/context.ts';
import { sendArchive, sendFile } from '../files/objects/download.ts';
import { filesToDownload } from '../files/objects/folder.ts';
import { findObject } from '../files/objects/store.ts';
import { locationOf } from './address.ts';

/** Sends the file, or the folder as tar.gz, as a download; requests for external data are redirected. */
export async function sendDownload(
  context: Context,
  { sourceProperties: source }: Datasource,
  http: { request: FastifyRequest; reply: FastifyReply },
) {
  if (source.type === 'external') return http.reply.redirect(locationOf(source.url), 302);
  const { dataBucketId: bucketId, dataBucketKey: key } = source;
  const file = await findObject(context.db, bucketId, key);
  if (file) return sendFile(context, file, http);
  const folder = key.endsWith('/') ? key : `${key}/`;
  return sendArchive(context, await filesToDownload(context, bucketId, folder), http);
}
