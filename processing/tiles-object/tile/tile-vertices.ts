import { localFrameAt, setMotion, type LocalFrame } from '@platen/geo/geodesy/local-frame';
import type { Paint, TilePrimitive } from '../../models/glb/write-feature-tile.ts';
import { drawMesh, drawPrism, type FacePaint } from './draw-faces.ts';
import { FaceCollector } from './face-collector.ts';
import { unionOfRegions, type Region } from '../../models/region.ts';
import type { Representation, Shape } from '../shape/shape.ts';

/** A feature of a tile in the representation that it has there. */
export interface TileFeature<S extends Shape = Shape> {
  readonly shape: S;
  readonly representation: Representation;
}

export const regionOf = (features: readonly TileFeature[]): Region =>
  unionOfRegions(features.map(({ shape }) => shape.region));

export function frameOf([west, south, east, north, lowest]: Region): LocalFrame {
  return localFrameAt((west + east) / 2, (south + north) / 2, lowest);
}

/** Tells how the faces of a feature are drawn. */
export type PaintOf = (feature: number) => FacePaint;

/**
 * Moves all features into the frame of the tile and sorts their faces by paint. Valid until the next call with the same collectors.
 * @param collectors get as many as there are paints
 */
export function tilePrimitives(
  features: readonly TileFeature[],
  frame: LocalFrame,
  {
    paints,
    paintOf,
    collectors,
  }: { readonly paints: readonly Paint[]; readonly paintOf: PaintOf; readonly collectors: FaceCollector[] },
): TilePrimitive[] {
  while (collectors.length < paints.length) collectors.push(new FaceCollector());
  for (const collector of collectors) collector.clear();
  const motion = new Float64Array(12);
  for (const [feature, { shape, representation }] of features.entries()) {
    setMotion(motion, shape.place, frame);
    const drawing = { feature, motion, paintOf: paintOf(feature), targets: collectors };
    const { mesh, prism } = representation;
    if (prism === undefined) drawMesh(mesh, drawing);
    else drawPrism(prism, drawing);
  }
  return paints.flatMap((paint, i) => (collectors[i]!.isEmpty ? [] : [collectors[i]!.finish(paint)]));
}
