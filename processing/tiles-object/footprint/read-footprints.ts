import type { CityObject } from '@platen/formats/city-object/city-object';
import type { Feature } from '@platen/formats/feature/feature';
import { readPart } from '../../features/read-part.ts';
import type { InputPart } from '../../features/open-inputs.ts';
import type { JobContext } from '../../job-type.ts';
import type { ExtrudeOptions } from './building-heights.ts';
import { createBuildingParts, mayHaveParts, type BuildingParts } from './building-parts.ts';
import type { FlatBuilding } from './flat-building.ts';
import { flatBuildingOf, isPolygonal, objectOf, polygonsOf, wholeOfParts } from './footprint-object.ts';

export interface ProbedFootprints {
  readonly position: readonly [x: number, y: number] | undefined;
  readonly hasHeights: boolean;
  /** Some features say that they are buildings: all others are none. */
  readonly namesBuildings: boolean;
}

class EnoughRead extends Error {}

const probedPolygons = 5000;

type Properties = Readonly<Record<string, unknown>>;

const isTagged = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && value !== 'no';
const isPart = (properties: Properties): boolean => isTagged(properties['building:part']);
/** Whether a feature is a building by the tags of OpenStreetMap. */
const isBuilding = (properties: Properties): boolean =>
  isTagged(properties['building']) || isPart(properties);

/** Reads the first polygons: where the file is, and what it has. @throws JobFailure */
export async function probeFootprints(part: InputPart, warn: JobContext['warn']): Promise<ProbedFootprints> {
  let found: ProbedFootprints = { position: undefined, hasHeights: false, namesBuildings: false };
  let count = 0;
  try {
    await readPart(
      part,
      ({ geometry, problem, properties }) => {
        const [polygon] = problem === undefined ? polygonsOf(geometry) : [];
        if (polygon === undefined) return;
        if (count++ >= probedPolygons) throw new EnoughRead();
        const [x, y, z] = polygon[0]![0]!;
        const namesBuildings = found.namesBuildings || isBuilding(properties);
        if (found.position === undefined)
          found = { position: [x, y], hasHeights: Number.isFinite(z), namesBuildings };
        else found = { ...found, namesBuildings };
      },
      { maxFeatureBytes, keepsHeights: true, warn },
    );
  } catch (error) {
    if (!(error instanceof EnoughRead)) throw error;
  }
  return found;
}

export interface FootprintVisitor {
  /** Features that are no buildings by their tags are left out. */
  readonly onlyBuildings: boolean;
  readonly extrude: ExtrudeOptions;
  /** The path of a scratch file. */
  readonly scratch: string;
  readonly warn: JobContext['warn'];
  /** An object in longitude and latitude. */
  readonly onObject: (object: CityObject) => void;
  /** Instead of `onObject`, for the simplest of all. */
  readonly onFlatBuilding: (building: FlatBuilding) => void;
  /** Called with the share of the part that has been read, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

const maxFeatureBytes = 64 << 20;
/** Of the time, what finding parts of buildings takes. */
const partsShare = 0.3;

/**
 * Reads the polygons of a vector file as buildings: those with heights of their own as they are, all others as footprints
 * that are extruded. Outlines with parts of buildings in them are not: these parts make up one object. @throws JobFailure
 */
export async function readFootprints(part: InputPart, visitor: FootprintVisitor): Promise<void> {
  const { extrude, onObject, onFlatBuilding } = visitor;
  const take = (feature: Feature): void => {
    const building = flatBuildingOf(feature, extrude);
    if (building !== undefined) return onFlatBuilding(building);
    const object = objectOf(feature, extrude);
    if (object !== undefined) onObject(object);
  };
  if (!(await mayHaveParts(part))) return readBuildings(part, visitor, take);
  const parts = createBuildingParts(visitor.scratch);
  try {
    await readParts(part, visitor, parts);
    const onlyBuildings = visitor.onlyBuildings || parts.count > 0;
    const onProgress = (share: number): void => visitor.onProgress(partsShare + share * (1 - partsShare));
    await readBuildings(part, { ...visitor, onlyBuildings, onProgress }, (feature) => {
      if (!isPart(feature.properties) && !parts.takeOutline(feature)) take(feature);
    });
    for (const { outline, parts: own } of parts.buildings())
      if (outline === undefined) own.forEach(take);
      else onObject(wholeOfParts(outline, own, extrude));
  } finally {
    parts.remove();
  }
}

async function readBuildings(
  part: InputPart,
  { onlyBuildings, warn, onProgress }: FootprintVisitor,
  take: (feature: Feature) => void,
): Promise<void> {
  await readPart(
    part,
    (feature) => {
      if (onlyBuildings && !isBuilding(feature.properties)) return;
      if (feature.problem !== undefined || !feature.geometry.parts.some(isPolygonal)) return;
      take(feature);
    },
    { maxFeatureBytes, keepsHeights: true, onProgress, warn },
  );
}

async function readParts(part: InputPart, visitor: FootprintVisitor, parts: BuildingParts): Promise<void> {
  const onProgress = (share: number): void => visitor.onProgress(share * partsShare);
  // the next reading warns
  await readBuildings(part, { ...visitor, warn: () => {}, onProgress }, (feature) => {
    if (isPart(feature.properties)) parts.add(feature);
  });
}
