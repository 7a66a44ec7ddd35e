import { documentOf, parseObject, unpack, type Document, type PackedBytes } from './document.ts';

/** What a scene service says of its layer. */
export interface SceneLayerService {
  readonly serviceVersion: string;
  readonly layers: readonly [object];
}

/** Makes what a scene service says of its layer from the layer. */
export function parse(stored: PackedBytes): Document {
  return documentOf((): SceneLayerService => {
    const layer = parseObject(unpack(stored), 'The scene layer');
    const version = (layer['store'] as { version?: unknown } | undefined)?.version;
    return { serviceVersion: typeof version === 'string' ? version : '1.7', layers: [layer] };
  });
}
