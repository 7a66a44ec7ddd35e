import { createReadStream } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { containsText } from '@platen/formats/bytes/contains-text';
import type { Feature } from '@platen/formats/feature/feature';
import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import type { InputPart } from '../../features/open-inputs.ts';
import { openScratchFile, readInto } from '../../kit/scratch-file.ts';
import { areaOf, boxOf, isInside, placeInside, type Place } from './polygon-places.ts';

/**
 * Parts of buildings and their outlines, as Simple 3D Buildings of OpenStreetMap has them: a part is in the smallest outline
 * around it. They wait in a scratch file until all are known.
 */
export interface BuildingParts {
  readonly count: number;
  add(part: Feature): void;
  /** Takes an outline if there are parts in it, of which all have been added. */
  takeOutline(outline: Feature): boolean;
  /** Outlines with their parts, and without an outline the parts that have none. */
  buildings(): Generator<Building, void>;
  remove(): void;
}

interface Building {
  readonly outline: Feature | undefined;
  readonly parts: readonly Feature[];
}

type Range = readonly [start: number, end: number];

interface HeldOutline {
  readonly range: Range;
  readonly area: number;
  /** Numbers of all that are in it, also in a smaller outline. */
  readonly parts: readonly number[];
}

/** Whether the file has such a tag, as far as a search for its name tells. */
export async function mayHaveParts({ part: { file } }: InputPart): Promise<boolean> {
  for (const path of [file.path, ...Object.values(file.related)])
    if (await containsText(createReadStream(path, { highWaterMark: 1 << 20 }), 'building:part')) return true;
  return false;
}

/** Of a degree. */
const cellSize = 1 / 512;
const columns = 2 ** 19;
/** Also of numbers that are no degrees. */
const cellOf = (degrees: number): number => Math.floor(Math.min(360, Math.max(-360, degrees)) / cellSize);

/** @param path of a scratch file */
export function createBuildingParts(path: string): BuildingParts {
  const file = openScratchFile(path);
  const parts: { readonly place: Place; readonly range: Range }[] = [];
  /** Numbers of parts. */
  const cells = new Map<number, number[]>();
  const outlines: HeldOutline[] = [];
  const hold = (feature: Feature): Range => {
    const start = file.length;
    file.append(pack(feature));
    return [start, file.length];
  };
  const read = ([start, end]: Range): Feature => {
    const bytes = Buffer.allocUnsafe(end - start);
    readInto(bytes, 0, { path, start, end });
    return deserialize(bytes) as Feature;
  };
  const partsIn = (geometry: GeometryBuffer): number[] => {
    const [west, south, east, north] = boxOf(geometry).map(cellOf) as [number, number, number, number];
    const found: number[] = [];
    const look = (numbers: readonly number[]): void => {
      for (const number of numbers) if (isInside(geometry, parts[number]!.place)) found.push(number);
    };
    if ((east - west + 1) * (north - south + 1) > cells.size)
      for (const numbers of cells.values()) look(numbers);
    else
      for (let y = south; y <= north; y++)
        for (let x = west; x <= east; x++) look(cells.get(y * columns + x) ?? []);
    return found;
  };
  return {
    get count() {
      return parts.length;
    },
    add(part) {
      const place = placeInside(part.geometry);
      const cell = cellOf(place[1]) * columns + cellOf(place[0]);
      const known = cells.get(cell);
      if (known === undefined) cells.set(cell, [parts.length]);
      else known.push(parts.length);
      parts.push({ place, range: hold(part) });
    },
    takeOutline(outline) {
      const own = partsIn(outline.geometry);
      if (own.length > 0) outlines.push({ range: hold(outline), area: areaOf(outline.geometry), parts: own });
      return own.length > 0;
    },
    *buildings() {
      file.flush();
      const isIn = new Int32Array(parts.length).fill(-1);
      for (const [number, { area, parts: own }] of outlines.entries())
        for (const part of own)
          if (isIn[part] === -1 || area < outlines[isIn[part]!]!.area) isIn[part] = number;
      for (const [number, { range, parts: all }] of outlines.entries()) {
        const own = all.filter((part) => isIn[part] === number).map((part) => read(parts[part]!.range));
        if (own.length > 0) yield { outline: read(range), parts: own };
        else yield { outline: undefined, parts: [read(range)] };
      }
      for (const [part, { range }] of parts.entries())
        if (isIn[part] === -1) yield { outline: undefined, parts: [read(range)] };
    },
    remove: () => file.remove(),
  };
}

function pack({ id, properties, geometry }: Feature): Buffer {
  const { coordinates, heights, positionCount: count } = geometry;
  return serialize({
    id,
    properties,
    problem: undefined,
    geometry: {
      ...geometry,
      coordinates: coordinates.slice(0, count * 2),
      heights: heights && { z: heights.z.slice(0, count), m: heights.m.slice(0, count), end: heights.end },
    },
  });
}
