import type { Context } from '../../../base/context.ts';
import { parseTask } from '../../../base/parsers/parse-task.ts';
import { worldDetail, worldMaxZoom, type WorldMap } from '@platen/viewer/world-module';
import { openWorldArchive, type Worlds } from '../../app-pages/world-tiles.ts';
import type { parse } from './paint-map.ts';
import type { PaintInput } from './paint-picture.ts';

const maxReadBytes = 1024 * 1024;

const paintMap = parseTask<typeof parse>(new URL('./paint-map.ts', import.meta.url), (png) => png.length);

export interface PaintRequest extends Omit<PaintInput, 'world'> {
  readonly world: WorldMap;
  readonly projectId: string;
  /** Identifies what is painted. */
  readonly keepAs: string;
}

/** Paints the map of an app. @returns a PNG @throws ParserStopped, BytesError, ArchiveError, Failure `unavailable` */
export type PaintApp = (request: PaintRequest) => Promise<Uint8Array>;

/**
 * Paints maps in a process of its own, the same content once. One at a time: the other processes are for data that maps are
 * waiting for.
 */
export function createPainter(
  { parsers, store }: Pick<Context, 'parsers' | 'store'>,
  worlds: Worlds,
): PaintApp {
  const details = openWorldArchive('world-detail');
  let last: Promise<unknown> = Promise.resolve();
  return ({ projectId, keepAs, world, ...layers }) => {
    const detailStyle = worldDetail(world).style;
    const input = { ...layers, world: { maxZoom: worldMaxZoom, detailStyle } };
    const host = {
      async read(layer: number, offset: number, length: number) {
        const { blobId, size } = input.layers[layer]!;
        const wanted = Math.min(length, maxReadBytes, Math.max(0, size - offset));
        return (await store.read(blobId, { offset, length: wanted })) ?? new Uint8Array(0);
      },
      worldTile: async (z: number, x: number, y: number) => (await worlds[world](z, x, y))?.bytes,
      worldDetail: details,
    };
    const request = { input, host, tenant: projectId, keepAs };
    const painted = last.then(() => parsers.run(paintMap, { ...request, file: 'The picture of the app' }));
    last = painted.catch(() => {});
    return painted;
  };
}
