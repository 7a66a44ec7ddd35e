import { cacheHeaders, type ServedFile } from './file-headers.ts';
import { openToAll } from '../../http/open-to-all.ts';
import { finish, type Exchange } from './send-bytes.ts';
import { sendFile } from './send-file.ts';
import { sendTile, type TileReply } from './send-tile.ts';
import type { ServingCache } from './serving-cache.ts';

/** The reply that a source has found for a request, before it is sent. */
export type Reply = FileReply | TileReply | NoTileReply | JsonReply | DocumentReply | XmlReply;

interface FileReply {
  readonly kind: 'file';
  readonly file: ServedFile;
}

interface NoTileReply {
  readonly kind: 'noTile';
  /** The tile may be added without a new revision, so that its absence is not cached for long. */
  readonly mayAppear: boolean;
}

interface JsonReply {
  readonly kind: 'json';
  readonly body: unknown;
}

/** JSON that is text already. */
interface DocumentReply {
  readonly kind: 'document';
  readonly bytes: Uint8Array;
}

/** An XML document for programs, which is saved and never shown as a page. */
interface XmlReply {
  readonly kind: 'xml';
  /** Without the XML declaration. */
  readonly text: string;
  readonly contentType: string;
  readonly fileName: string;
}

/** Sends a reply; false if the bytes behind it no longer exist. @throws Failure, ArchiveError, BytesError */
export async function sendReply(cache: ServingCache, reply: Reply, exchange: Exchange): Promise<boolean> {
  switch (reply.kind) {
    case 'tile':
      return sendTile(reply, exchange);
    case 'file':
      return sendFile(cache, reply.file, exchange);
    case 'noTile':
      return sendNoTile(reply, exchange);
    case 'json':
      return sendText(exchange, Buffer.from(JSON.stringify(reply.body)), jsonType);
    case 'document':
      return sendText(exchange, reply.bytes, jsonType);
    case 'xml':
      return sendText(exchange, Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${reply.text}`), {
        'content-type': reply.contentType,
        'content-disposition': `attachment; filename="${reply.fileName}"`,
      });
  }
}

/** A missing tile is not an error: clients would report every 404 in their console. */
function sendNoTile({ mayAppear }: NoTileReply, exchange: Exchange): boolean {
  const caching = mayAppear && exchange.caching === 'lasting' ? 'private' : exchange.caching;
  return finish(exchange, 204, { ...openToAll, ...cacheHeaders(caching) });
}

const jsonType = { 'content-type': 'application/json' };

function sendText(
  exchange: Exchange,
  bytes: Uint8Array,
  typeHeaders: Readonly<Record<string, string>>,
): boolean {
  const headers = {
    ...openToAll,
    ...cacheHeaders(exchange.caching),
    ...typeHeaders,
    'content-length': bytes.byteLength,
  };
  if (exchange.request.method === 'HEAD') return finish(exchange, 200, headers);
  exchange.response.writeHead(200, headers).end(bytes);
  return true;
}
