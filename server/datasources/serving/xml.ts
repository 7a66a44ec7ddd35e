import { escapeHtml } from '@platen/viewer/escape-html';
import { cacheHeaders, openToAll } from './file-headers.ts';
import { finish, type Exchange } from './send-bytes.ts';

/** Safe in text and in quoted attributes; what XML 1.0 has no place for becomes spaces. */
export function escapeXml(text: string): string {
  return escapeHtml(text.replaceAll(/[\uFFFE\uFFFF]/g, ' '));
}

interface Document {
  readonly text: string;
  readonly contentType: string;
  /** What it is called when it is saved. */
  readonly fileName: string;
}

/** Never shown as a page: it is made for programs. */
export function sendXml({ text, contentType, fileName }: Document, exchange: Exchange): boolean {
  const bytes = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`);
  const headers = {
    ...openToAll,
    ...cacheHeaders(exchange.caching),
    'content-type': contentType,
    'content-disposition': `attachment; filename="${fileName}"`,
    'content-length': bytes.byteLength,
  };
  if (exchange.request.method === 'HEAD') return finish(exchange, 200, headers);
  exchange.response.writeHead(200, headers).end(bytes);
  return true;
}
