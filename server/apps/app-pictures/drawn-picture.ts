import { createHash } from 'node:crypto';
import { worldMapOf } from '@platen/viewer/world-module';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { findDatasourcesById } from '../../datasources/store.ts';
import type { Worlds } from '../app-pages/world-tiles.ts';
import type { MapContent } from '../content.ts';
import { drawPreview, type PreviewOrder } from './draw-preview.ts';
import { findPaintedLayers } from './painting/find-layers.ts';
import { createPainter, type PaintRequest } from './painting/paint-app.ts';
import { cachePreviews } from './preview-cache.ts';
import { viewOf, viewOfData } from './view.ts';

/** How to draw the picture of an app; plain data, and the same of what looks the same. */
export interface PictureOrder {
  readonly projectId: string;
  /** Marks the place of the map, if it cannot be painted. */
  readonly simple: PreviewOrder;
  /** Absent without layers that can be painted. */
  readonly painted?: Pick<PaintRequest, 'view' | 'world' | 'layers'>;
}

/** Where the map of an app is, and how it is painted. */
export async function orderPicture(
  db: Db,
  projectId: string,
  content: Pick<MapContent, 'modules' | 'revisions' | 'world'>,
): Promise<PictureOrder> {
  const { modules, revisions } = content;
  const datasources = await findDatasourcesById(db, projectId, [...revisions.keys()]);
  const boxes = [...datasources.values()].flatMap(({ bbox }) => {
    const [west, south, east, north] = bbox ?? [];
    return north === undefined ? [] : [[west!, south!, east!, north] as const];
  });
  const layers = await findPaintedLayers(db, projectId, content);
  const world = worldMapOf(content.world);
  const simple = { view: viewOf(modules, boxes), world };
  return layers.length > 0
    ? { projectId, simple, painted: { view: viewOfData(modules, boxes), world, layers } }
    : { projectId, simple };
}

export const hashOfPicture = ({ simple, painted }: PictureOrder): string =>
  createHash('sha256')
    .update(JSON.stringify(painted ?? simple))
    .digest('base64url');

/** @param report is called if the map could not be painted @returns a PNG */
export type DrawPicture = (order: PictureOrder, report: (error: unknown) => void) => Promise<Uint8Array>;

export function createDrawer(context: Context, worlds: Worlds): DrawPicture {
  const draw = cachePreviews((order) => drawPreview(order, worlds));
  const paint = createPainter(context, worlds);
  return async (order, report) => {
    const { projectId, painted, simple } = order;
    if (painted === undefined) return draw(simple);
    try {
      return await paint({ ...painted, projectId, keepAs: hashOfPicture(order) });
    } catch (error) {
      report(error);
      return draw(simple);
    }
  };
}
