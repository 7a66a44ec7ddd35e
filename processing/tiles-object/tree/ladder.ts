import { PrismRepresentation } from '../shape/prism.ts';
import { represent, withChanges, type Representation, type Shape, type ShapeLook } from '../shape/shape.ts';
import type { TileFeature } from '../tile/tile-vertices.ts';
import { texturedMetresOf } from '../shape/shape-index.ts';

/** What a tile above others may have. */
export interface CoarseBudget {
  readonly triangles: number;
  readonly features: number;
  /** Square metres with images, at one metre a pixel. */
  readonly texels: number;
}

export interface CoarseTile<S extends Shape> {
  /** Metres: no shape is farther off, and none that was left out is larger. */
  readonly error: number;
  readonly features: readonly TileFeature<S>[];
}

/** Pixels that an error may have on the screen before a viewer refines: the default of 3D Tiles engines. */
const screenError = 16;

/** The size of a texture pixel that is fine enough in a tile with this error, in metres. */
export const metresPerTexelAt = (error: number, finest: number): number =>
  Math.max(finest, error / screenError);

interface Step {
  readonly error: number;
  readonly triangles: number;
  readonly features: number;
}

/**
 * Chooses the smallest error at which the shapes of a tile fit its budget, when each is drawn in the coarsest
 * representation within that error, or left out if it is smaller.
 * @param minError the largest error of the tiles below
 */
export function chooseCoarse<S extends Shape>(
  shapes: readonly S[],
  minError: number,
  budget: CoarseBudget,
): CoarseTile<S> {
  let [triangles, features] = [0, 0];
  const steps: Step[] = [];
  /** Steps that are taken in any case need no order. */
  const step = (error: number, triangleChange: number, featureChange: number): void => {
    if (error <= minError) {
      triangles += triangleChange;
      features += featureChange;
    } else steps.push({ error, triangles: triangleChange, features: featureChange });
  };
  for (const { representations, goneError } of shapes) {
    let before = representations[0]!.triangles;
    let lastError = representations[0]!.error;
    triangles += before;
    features++;
    for (let i = 1; i < representations.length; i++) {
      const { error, triangles: count } = representations[i]!;
      step(error, count - before, 0);
      before = count;
      lastError = error;
    }
    step(Math.max(goneError, lastError), -before, -1);
  }
  const fits = (): boolean => triangles <= budget.triangles && features <= budget.features;
  let error = minError;
  if (!fits()) {
    steps.sort((a, b) => a.error - b.error);
    for (const one of steps) {
      if (one.error > error) {
        if (fits()) break;
        error = one.error;
      }
      triangles += one.triangles;
      features += one.features;
    }
  }
  error = roundUp(error);
  let chosen = draw(shapes, error);
  const metres = chosen.reduce(
    (sum, { shape, representation }) =>
      sum + (representation === shape.representations[0] ? texturedMetresOf(shape) : 0),
    0,
  );
  const forTextures = screenError * Math.sqrt(metres / budget.texels);
  if (forTextures > error) {
    error = roundUp(forTextures);
    chosen = draw(shapes, error);
  }
  return { error, features: chosen };
}

/** Millimetres, so that the numbers of a tileset are short. */
const roundUp = (metres: number): number => Math.ceil(metres * 1000) / 1000;

function draw<S extends Shape>(shapes: readonly S[], error: number): TileFeature<S>[] {
  return shapes.flatMap((shape) => {
    const { representations, goneError } = shape;
    const last = representations.at(-1)!;
    if (Math.max(goneError, last.error) <= error) return [];
    return [{ shape, representation: representations.findLast((one) => one.error <= error)! }];
  });
}

/** What the tiles above may draw of a shape with images: what it is drawn as, and what is coarser, in the mean colour of its images. */
export function forTilesAbove(
  { shape, representation }: TileFeature,
  meanColour: readonly [number, number, number],
): Shape {
  const representations = shape.representations.slice(shape.representations.indexOf(representation));
  const look = shape.looks.length;
  const looks: ShapeLook[] = [...shape.looks, { colour: [...meanColour, 1] }];
  return withChanges(shape, { looks, representations: representations.map((one) => tinted(one, look)) });
}

/** Faces without a look of their own, in shapes that stand for textured ones. */
function tinted(representation: Representation, look: number): Representation {
  const { error, mesh, prism, hasImages } = representation;
  if (hasImages) return representation;
  const lookOf = (own: number): number => (own === -1 ? look : own);
  if (prism !== undefined)
    return new PrismRepresentation(error, {
      ...prism,
      wallLook: lookOf(prism.wallLook),
      roofLook: lookOf(prism.roofLook),
    });
  return represent(error, { ...mesh, looks: mesh.looks.map(lookOf) });
}
