import { isObject } from '../../../base/is-object.ts';
import type { Reply } from '../reply.ts';
import type { DataRequest } from './source.ts';

/** Finds the MapLibre style of a datasource; undefined if it has none. */
export async function findStyleReply({ cache, datasource, base }: DataRequest): Promise<Reply | undefined> {
  const body = styleOf(await cache.style(datasource._id), base());
  return body && { kind: 'json', body };
}

/** Replaces the relative `tiles.json` of a style by its absolute address, as viewers resolve no other; undefined: no style. */
export function styleOf(style: unknown, base: string): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(style) || !isObject(style['sources'])) return undefined;
  const sources = Object.entries(style['sources']).map(([name, source]) =>
    isObject(source) && source['url'] === 'tiles.json'
      ? [name, Object.assign({}, source, { url: `${base}/tiles.json` })]
      : [name, source],
  );
  return { ...style, sources: Object.fromEntries(sources) as object };
}
