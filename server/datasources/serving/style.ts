import { sendJson } from './reply.ts';
import type { Exchange } from './send-bytes.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Answers with the style of a datasource for MapLibre; false where it has none. In it the tiles are named by where they
 * lie beside it: `tiles.json` becomes an absolute address, as the viewers resolve no other.
 */
export function sendStyle({ style, base }: { style: unknown; base: string }, exchange: Exchange): boolean {
  const body = styleOf(style, base);
  return body !== undefined && sendJson(body, exchange);
}

/** The style with where its tiles lie; undefined where it is none. */
export function styleOf(style: unknown, base: string): Json | undefined {
  if (!isObject(style) || !isObject(style['sources'])) return undefined;
  const sources = Object.entries(style['sources']).map(([name, source]) =>
    isObject(source) && source['url'] === 'tiles.json'
      ? [name, Object.assign({}, source, { url: `${base}/tiles.json` })]
      : [name, source],
  );
  return { ...style, sources: Object.fromEntries(sources) as Json };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
