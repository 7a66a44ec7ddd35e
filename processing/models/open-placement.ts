import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import type { ModelPlace, PlaceInCrs } from '@platen/formats/mesh-model/model-place';
import type { MeshFormat } from '@platen/formats/mesh-model/recognise-mesh';
import { verticalOfCode } from '@platen/formats/crs/vertical-wkt';
import { geocentricOf, geodeticOf, type Vector } from '@platen/geo/geodesy/geocentric';
import { transformPosition, type Matrix } from '@platen/geo/geodesy/matrix';
import type { HeightOptions } from '../heights/height-options.ts';
import { usualVertical } from '../heights/national-heights.ts';
import { openHeights, type OpenedHeights } from '../heights/open-heights.ts';
import { JobFailure, type JobContext } from '../job-type.ts';
import { openCrs } from './open-crs.ts';
import { openAnchor } from './open-anchor.ts';
import { placeGiven } from './place-given.ts';
import type { PlacementOptions } from './placement-options.ts';

/** Where a model stands on the globe. */
export interface Placement {
  /** Moves x, y, z of positions of the file into EPSG:4978, in place. NaN where they are outside of the CRS. */
  readonly toGeocentric: (positions: Float64Array) => void;
  /** Undefined if the coordinates are geocentric. */
  readonly heights: OpenedHeights | undefined;
}

export interface PlacedFile {
  readonly name: string;
  readonly mesh: MeshFormat;
  /** Of the input; the placement comes first. */
  readonly crs: string | undefined;
  /** What the model says itself, which comes last. */
  readonly place?: ModelPlace | undefined;
  /** A position of the file; it decides which heights are usual there. */
  readonly position: Vector;
}

export interface PlacementContext {
  readonly placement: PlacementOptions;
  readonly heights: HeightOptions;
  readonly context: Pick<JobContext, 'inputs' | 'warn' | 'geoidFolder'>;
}

/** @throws JobFailure if nothing says where the model is */
export async function openPlacement(file: PlacedFile, options: PlacementContext): Promise<Placement> {
  const { placement } = options;
  const turn = placement.upAxis === (file.mesh === 'gltf' ? 'z' : 'y') ? turnsOf(file.mesh) : undefined;
  const opened = await openUpright(file, options);
  return {
    heights: opened.heights,
    toGeocentric(positions) {
      turn?.(positions);
      opened.toGeocentric(positions);
    },
  };
}

async function openUpright(file: PlacedFile, options: PlacementContext): Promise<Placement> {
  const place = placeGiven(options.placement);
  if (place !== undefined) return openAtPoint(place, options);
  const text = options.placement.crs ?? file.crs;
  if (text === undefined && file.place !== undefined) return openOwnPlace(file.place, file, options);
  if (text === undefined)
    throw new JobFailure(
      'unknownPlace',
      `${file.name} does not say where on earth it is. Set longitude and latitude of its origin in the placement of the task, or the coordinate system of its coordinates.`,
    );
  return openInCrs(text, file, options);
}

async function openOwnPlace(
  place: ModelPlace,
  file: PlacedFile,
  { placement, heights, context }: PlacementContext,
): Promise<Placement> {
  if (place.kind === 'crs') return openInOwnCrs(place, file, { placement, heights, context });
  const { longitude, latitude, height, heading, origin } = place;
  context.warn(
    'placedBySite',
    `${file.name} is shown where its site says that it is. Many programs write their own town there: set the placement if it stands elsewhere.`,
    { longitude, latitude, height, heading },
  );
  const { vertical = 'auto' } = heights;
  const opened = await openAtPoint([longitude, latitude], {
    placement: { height, heading, ...placement },
    heights: { ...heights, vertical: vertical === 'auto' ? seaLevel : vertical },
    context,
  });
  return {
    heights: opened.heights,
    toGeocentric(positions) {
      for (let i = 0; i < positions.length; i++) positions[i]! -= origin[i % 3]!;
      opened.toGeocentric(positions);
    },
  };
}

/** EGM96: sites have heights above sea level, of no named kind. */
const seaLevel = 'EPSG:5773';

async function openInOwnCrs(
  { crs, matrix }: PlaceInCrs,
  file: PlacedFile,
  options: PlacementContext,
): Promise<Placement> {
  const opened = await openInCrs(
    crs,
    { ...file, position: transformPosition(matrix, file.position) },
    options,
  );
  return {
    heights: opened.heights,
    toGeocentric(positions) {
      transformAll(positions, matrix);
      opened.toGeocentric(positions);
    },
  };
}

/** Transforms x, y, z of positions, in place. */
function transformAll(positions: Float64Array, matrix: Matrix): void {
  for (let i = 0; i < positions.length; i += 3)
    positions.set(transformPosition(matrix, [positions[i]!, positions[i + 1]!, positions[i + 2]!]), i);
}

/** Readers turn y of glTF upwards already: for files that are upright as they are, that is undone. */
function turnsOf(mesh: MeshFormat): (positions: Float64Array) => void {
  const sign = mesh === 'gltf' ? -1 : 1;
  return (positions) => {
    for (let i = 0; i < positions.length; i += 3) {
      const [y, z] = [positions[i + 1]!, positions[i + 2]!];
      positions[i + 1] = -z * sign;
      positions[i + 2] = y * sign;
    }
  };
}

async function openAtPoint(place: readonly [number, number], options: PlacementContext): Promise<Placement> {
  const { matrix, heights } = await openAnchor(place, options);
  return {
    heights,
    toGeocentric: (positions) => transformAll(positions, matrix),
  };
}

/** What the coordinates of models in tiles are. */
const geocentricCode = /^(?:EPSG:|urn:ogc:def:crs:EPSG:[^:]*:)?4978$/i;

/** Moves positions of EPSG:4978 upwards, in place. */
function lift(positions: Float64Array, metres: number): void {
  for (let i = 0; i < positions.length; i += 3) {
    const [lon, lat, height] = geodeticOf([positions[i]!, positions[i + 1]!, positions[i + 2]!]);
    positions.set(geocentricOf(lon, lat, height + metres), i);
  }
}

async function openInCrs(
  text: string,
  { name, position }: PlacedFile,
  { placement, heights: options, context }: PlacementContext,
): Promise<Placement> {
  const [dx, dy, dz] = (placement.offset ?? [0, 0, 0]) as [number, number, number];
  const move = (positions: Float64Array): void => {
    for (let i = 0; i < positions.length; i += 3) {
      positions[i]! += dx;
      positions[i + 1]! += dy;
      positions[i + 2]! += dz;
    }
  };
  if (geocentricCode.test(text.trim()))
    return {
      heights: undefined,
      toGeocentric(positions) {
        move(positions);
        if (options.offset !== undefined && options.offset !== 0) lift(positions, options.offset);
      },
    };
  const crs = openCrs(text, name);
  const point = Float64Array.of(position[0] + dx, position[1] + dy);
  crs.toLonLat(point, 1);
  const usual = usualVertical(crs.code, [point[0]!, point[1]!]);
  const facts = {
    vertical: findVerticalCrs(text),
    ...(usual !== undefined && { usual: verticalOfCode(usual) }),
  };
  const heights = await openHeights(options, facts, context);
  return {
    heights,
    toGeocentric(positions) {
      move(positions);
      const count = positions.length / 3;
      const plane = new Float64Array(count * 2);
      for (let i = 0; i < count; i++) {
        plane[i * 2] = positions[i * 3]!;
        plane[i * 2 + 1] = positions[i * 3 + 1]!;
      }
      crs.toLonLat(plane, count);
      for (let i = 0; i < count; i++) {
        positions[i * 3] = plane[i * 2]!;
        positions[i * 3 + 1] = plane[i * 2 + 1]!;
      }
      heights.toEllipsoid(positions, count);
      for (let i = 0; i < positions.length; i += 3)
        positions.set(geocentricOf(positions[i]!, positions[i + 1]!, positions[i + 2]!), i);
    },
  };
}
