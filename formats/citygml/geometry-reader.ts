import type { NoticeVisitor } from '../city-object/city-object.ts';
import { endRing3d, endSurface3d, flipLastSurface, pushPosition3d } from '../city-object/surface-set.ts';
import { readNumber, skipSeparators, type NumberCursor } from '../xml/read-numbers.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import { idOfReference } from './appearance-reader.ts';
import {
  applySurfaceAppearance,
  createSurfaceAppearance,
  readSurfaceAppearance,
  type SurfaceAppearance,
} from './textured-surface.ts';
import { matrixOf, type ObjectGeometries, type OpenGeometry } from './object-geometry.ts';

/** Follows the elements within geometries, which are most of a file. */
export interface GeometryReader {
  /** Begins with the property that has the geometry. @param role of its surfaces */
  begin(xml: XmlReader, geometry: OpenGeometry, role: number): void;
  /** Between the start and the end of the property. */
  readonly isOpen: boolean;
  start(xml: XmlReader): void;
  text(xml: XmlReader): void;
  end(): void;
}

export interface GeometryReaderOptions {
  readonly onNotice: NoticeVisitor;
  /** Northing or latitude comes first in the file. */
  readonly isSwapped: () => boolean;
  readonly idOfPart: (part: number) => string;
}

/** What an element is for the reader. */
const [other, polygon, ring, positions, matrix, referencePoint] = [0, 1, 2, 3, 4, 5];
const [implicit, library, orientable, appearance, curve] = [6, 7, 8, 9, 10];
const kindOf = new Map([
  ['Polygon', polygon],
  ['PolygonPatch', polygon],
  ['Triangle', polygon],
  ['Rectangle', polygon],
  ['LinearRing', ring],
  ['posList', positions],
  ['pos', positions],
  ['coordinates', positions],
  ['transformationMatrix', matrix],
  ['referencePoint', referencePoint],
  ['ImplicitGeometry', implicit],
  ['libraryObject', library],
  ['OrientableSurface', orientable],
  ['TexturedSurface', orientable],
  ['appearance', appearance],
  ['LineString', curve],
  ['Curve', curve],
]);

export const maxIdLength = 1000;

export function createGeometryReader(
  { named, rings, references, looks }: ObjectGeometries,
  { onNotice, isSwapped, idOfPart }: GeometryReaderOptions,
): GeometryReader {
  const cursor: NumberCursor = { bytes: Buffer.alloc(0), at: 0, end: 0 };
  const point: number[] = [];
  // of each open element, the property first
  const kinds: number[] = [];
  const ids: (string | undefined)[] = [];
  const firstSurfaces: number[] = [];
  const flips: boolean[] = [];
  let geometry: OpenGeometry | undefined;
  let role = 0;
  let isFlipped = false;
  let isInPoint = false;
  /** Of the TexturedSurface around what is read. */
  let own: SurfaceAppearance | undefined;
  /** Nothing was inside of the innermost element so far. */
  let isLeaf = true;

  const push = (kind: number, id: string | undefined): void => {
    kinds.push(kind);
    ids.push(id);
    firstSurfaces.push(geometry!.surfaces.surfaceEnds.length);
    flips.push(isFlipped);
    isLeaf = true;
  };
  const refer = (xml: XmlReader): void => {
    const href = xml.attribute('href');
    if (href !== undefined) references.push({ geometry: geometry!, id: idOfReference(href), isFlipped });
  };
  const readPositions = (xml: XmlReader): void => {
    const { surfaces } = geometry!;
    const inRing = kinds.at(-2) === ring || kinds.at(-3) === ring;
    if (!isInPoint && !inRing) return;
    const swaps = isSwapped() && (isInPoint || geometry!.matrix === undefined);
    cursor.bytes = xml.bytes;
    cursor.at = xml.textStart;
    cursor.end = xml.textEnd;
    let [x, y, axis] = [0, 0, 0];
    for (;;) {
      skipSeparators(cursor);
      if (cursor.at >= cursor.end) return;
      const value = readNumber(cursor);
      // true of NaN and of both infinities
      if (value - value !== 0) return onNotice('badPositions', idOfPart(geometry!.part), '');
      if (isInPoint) point.push(value);
      else if (axis === 0) x = value;
      else if (axis === 1) y = value;
      else if (swaps) pushPosition3d(surfaces, y, x, value);
      else pushPosition3d(surfaces, x, y, value);
      axis = axis === 2 ? 0 : axis + 1;
    }
  };

  return {
    get isOpen() {
      return geometry !== undefined;
    },
    begin(xml, of, surfaceRole) {
      geometry = of;
      role = surfaceRole;
      isFlipped = false;
      push(other, undefined);
      refer(xml);
    },
    start(xml) {
      const kind = own === undefined ? (kindOf.get(xml.name.local) ?? other) : other;
      const isNamed = kind < positions || kind > referencePoint;
      push(kind, isNamed ? xml.attribute('id')?.slice(0, maxIdLength) : undefined);
      if (kind === other) refer(xml);
      else if (kind === referencePoint) {
        point.length = 0;
        isInPoint = true;
      } else if (kind === implicit) geometry!.matrix ??= [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
      else if (kind === library) onNotice('libraryObject', idOfPart(geometry!.part), xml.name.local);
      else if (kind === orientable) isFlipped = isFlipped !== (xml.attribute('orientation') === '-');
      else if (kind === curve) xml.skip();
      else if (kind === appearance) own = createSurfaceAppearance();
    },
    text(xml) {
      if (!isLeaf) return;
      if (own !== undefined) return readSurfaceAppearance(own, xml);
      const kind = kinds.at(-1);
      if (kind === positions) readPositions(xml);
      else if (kind === matrix) geometry!.matrix = matrixOf(xml.text()) ?? geometry!.matrix!;
    },
    end() {
      const kind = kinds.pop()!;
      const id = ids.pop();
      const start = firstSurfaces.pop()!;
      const { surfaces } = geometry!;
      if (kind === ring) {
        endRing3d(surfaces);
        if (id !== undefined)
          rings.set(id, { geometry: geometry!, ring: surfaces.ringEnds.length - 1, isFlipped });
      } else if (kind === polygon) {
        endRing3d(surfaces);
        endSurface3d(surfaces, role);
        if (isFlipped) flipLastSurface(surfaces);
      } else if (kind === referencePoint) {
        const [x = 0, y = 0, z = 0] = point;
        geometry!.anchor = isSwapped() ? [y, x, z] : [x, y, z];
        isInPoint = false;
      } else if (kind === appearance) {
        const of = { set: surfaces, first: firstSurfaces.at(-1)!, isFlipped };
        const isShown = applySurfaceAppearance(own!, of, looks);
        if (!isShown) onNotice('unsupportedAppearance', idOfPart(geometry!.part), 'TexturedSurface');
        own = undefined;
      }
      const end = surfaces.surfaceEnds.length;
      if (kind !== ring && id !== undefined && end > start)
        named.set(id, { geometry: geometry!, start, end });
      isFlipped = flips.pop()!;
      isLeaf = false;
      if (kinds.length === 0) geometry = undefined;
    },
  };
}
