import { documentOf, parseObject, unpack, type Document, type PackedBytes } from './document.ts';

/** The part of the description of a scene service that comes from its layer. */
export interface SceneLayerService {
  readonly serviceVersion: string;
  readonly layers: readonly [object];
}

/** Makes the description of a scene service from its layer. */
export function parse(stored: PackedBytes): Document {
  return documentOf((): SceneLayerService => {
    const layer = parseObject(unpack(stored), 'The scene layer');
    const version = (layer['store'] as { version?: unknown } | undefined)?.version;
    return { serviceVersion: typeof version === 'string' ? version : '1.7', layers: [layer] };
  });
}
