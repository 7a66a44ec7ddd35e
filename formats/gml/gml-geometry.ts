import {
  clearGeometry,
  pushHeight,
  pushPosition,
  type GeometryBuffer,
  type GeometryType,
} from '../feature/geometry-buffer.ts';
import { removeHeight } from '../feature/position-heights.ts';
import { endPart, endPolygon, endRing } from '../wkb/build-geometry.ts';
import { toNumber, type NumberCursor } from '../xml/read-numbers.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import { readCoordinates } from './coordinates.ts';
import { isCurvedSegment, linearise } from './curves.ts';
import { gmlCrs } from './gml-crs.ts';
import { gmlPartType, gmlRole } from './gml-names.ts';
import { rectangle, reversePositions, swapAxes } from './positions.ts';

/** The context of a geometry, from the elements around it. */
export interface GmlContext {
  readonly srsName: string | undefined;
  readonly dimension: number | undefined;
}

/** Builds a geometry from its elements as they come, in the file's order of axes until its end. */
export interface GmlGeometry {
  clear(): void;
  begin(context: GmlContext): void;
  start(xml: XmlReader): void;
  text(xml: XmlReader): void;
  end(xml: XmlReader): void;
  /** Swaps the axes if needed. @returns the srsName, and the problem if any */
  finish(): { readonly srsName: string | undefined; readonly problem: string | undefined };
}

export function createGmlGeometry(geometry: GeometryBuffer): GmlGeometry {
  const cursor: NumberCursor = { bytes: Buffer.alloc(0), at: 0, end: 0 };
  /** The open elements, from the geometry on. */
  const elements: string[] = [];
  const starts: number[] = [];
  const dimensions: (number | undefined)[] = [];
  let inherited: GmlContext = { srsName: undefined, dimension: undefined };
  let srsName: string | undefined;
  let problem: string | undefined;
  /** Number of open elements where the open part began; 0 without one. */
  let partLevel = 0;
  let curveLevel = 0;
  let partType: GeometryType = 'Point';
  let polygonStart = 0;
  let inPatch = false;
  let ringStart = 0;
  let isOuter = true;
  let reversed: number[] = [];
  let count: number | undefined;
  let separators: { decimal: string; cs: string; ts: string } | undefined;
  let measures = { radius: NaN, startAngle: NaN, endAngle: NaN };
  let radiusUnit = '';
  let coord = { X: NaN, Y: NaN, Z: NaN };

  const readAttributes = (xml: XmlReader, element: string): void => {
    const name = xml.attribute('srsName');
    if (name !== undefined) {
      if (srsName !== undefined && gmlCrs(srsName).key !== gmlCrs(name).key)
        problem ??= `its geometry is in two CRSs, ${srsName.slice(0, 100)} and ${name.slice(0, 100)}`;
      srsName ??= name;
    }
    const dimension = Number(xml.attribute('srsDimension') ?? xml.attribute('dimension') ?? NaN);
    const outer = dimensions.at(-1) ?? inherited.dimension;
    dimensions.push(dimension >= 2 && dimension <= 4 ? dimension : outer);
    const href = xml.attribute('href');
    if (href !== undefined)
      problem ??= `a part of its geometry is in another place, which is not read: xlink:href="${href.slice(0, 80)}"`;
    if (element === 'radius') radiusUnit = xml.attribute('uom') ?? '';
    else if (element === 'posList') {
      const given = xml.attribute('count');
      count = given === undefined ? undefined : Number(given);
    } else if (element === 'coordinates') {
      const decimal = xml.attribute('decimal') ?? '.';
      const cs = xml.attribute('cs') ?? ',';
      const ts = xml.attribute('ts') ?? ' ';
      separators = decimal === '.' && cs === ',' && ts.trim() === '' ? undefined : { decimal, cs, ts };
    }
  };
  const open = (xml: XmlReader, element: string): void => {
    const role = gmlRole(element);
    const level = elements.length;
    if (role === undefined) {
      if (/^(?:exterior|interior|outerBoundaryIs|innerBoundaryIs)$/.test(element))
        isOuter = element === 'exterior' || element === 'outerBoundaryIs';
      return;
    }
    if (role === 'refused') problem ??= `its geometry contains a ${element}, which is not supported`;
    const type = gmlPartType(element, role);
    if (partLevel === 0 && type !== undefined) {
      partLevel = level;
      partType = type;
      polygonStart = geometry.polygonEnds.length;
    }
    if (role === 'curve' && curveLevel === 0) curveLevel = level;
    if (element === 'OrientableCurve' && xml.attribute('orientation') === '-') reversed.push(level);
    if (role === 'patch') {
      inPatch = true;
      isOuter = true;
      ringStart = geometry.ringEnds.length;
    }
    if (role === 'segment') measures = { radius: NaN, startAngle: NaN, endAngle: NaN };
  };
  /** A segment of a curve begins at the end of the one before it. */
  const join = (start: number): void => {
    const { coordinates, positionCount } = geometry;
    if (start <= (geometry.ringEnds.at(-1) ?? 0) || start >= positionCount) return;
    const at = start * 2;
    if (coordinates[at] !== coordinates[at - 2] || coordinates[at + 1] !== coordinates[at - 1]) return;
    coordinates.copyWithin(at, at + 2, positionCount * 2);
    if (geometry.heights !== undefined) removeHeight(geometry.heights, start);
    geometry.positionCount--;
  };
  const endCurve = (level: number, start: number): void => {
    if (reversed.at(-1) === level) {
      reversed.pop();
      reversePositions(geometry, start);
    }
    join(start);
    if (level !== curveLevel) return;
    curveLevel = 0;
    if (inPatch && !isOuter && geometry.ringEnds.length === ringStart) {
      geometry.positionCount = start;
      problem ??= 'a polygon has a hole, but no exterior before it';
    } else endRing(geometry);
  };
  const close = (element: string, level: number, start: number): void => {
    const role = gmlRole(element);
    if (element === 'coord') {
      pushPosition(geometry, coord.X, coord.Y);
      pushHeight(geometry, coord.Z);
    }
    if (element === 'coord' && coord.X + coord.Y - (coord.X + coord.Y) !== 0)
      problem ??= 'a coord has no X and Y that are numbers';
    if (role === undefined) return;
    if (role === 'segment') {
      if (element.endsWith('CenterPoint') && isMetre(radiusUnit) && isInDegrees(srsName ?? inherited.srsName))
        problem ??= `the radius of an ${element} is in metres, but its CRS in degrees`;
      if (isCurvedSegment(element)) problem ??= linearise(geometry, start, element, measures);
      join(start);
    } else if (role === 'curve') endCurve(level, start);
    else if (role === 'box') problem ??= rectangle(geometry, start);
    else if (role === 'patch') {
      inPatch = false;
      endPolygon(geometry);
    } else if (role === 'point' && geometry.positionCount - start > 1)
      problem ??= 'a Point has more than one position';
    if (level !== partLevel) return;
    partLevel = 0;
    const polygons = geometry.polygonEnds.length - polygonStart;
    endPart(geometry, role === 'surface' && polygons > 1 ? 'MultiPolygon' : partType, polygonStart);
  };

  return {
    clear() {
      clearGeometry(geometry);
    },
    begin(context) {
      inherited = context;
      srsName = undefined;
      problem = undefined;
      partLevel = 0;
      curveLevel = 0;
      reversed = [];
    },
    start(xml) {
      const element = xml.name.local;
      elements.push(element);
      starts.push(geometry.positionCount);
      readAttributes(xml, element);
      open(xml, element);
      if (element === 'coord') coord = { X: NaN, Y: NaN, Z: NaN };
    },
    text(xml) {
      const element = elements.at(-1)!;
      if (element === 'radius' || element === 'startAngle' || element === 'endAngle')
        measures[element] = toNumber(xml.text());
      else if (element === 'X' || element === 'Y' || element === 'Z') coord[element] = toNumber(xml.text());
      else if (partLevel > 0 && /^(?:posList|pos|coordinates|lowerCorner|upperCorner)$/.test(element)) {
        cursor.bytes = xml.bytes;
        cursor.at = xml.textStart;
        cursor.end = xml.textEnd;
        const style = { dimension: dimensions.at(-1), count, separators };
        const wrong = readCoordinates(element, cursor, style, geometry);
        if (wrong !== undefined) problem ??= wrong;
      }
    },
    end() {
      const level = elements.length;
      const element = elements.pop()!;
      dimensions.pop();
      close(element, level, starts.pop()!);
    },
    finish() {
      const name = srsName ?? inherited.srsName;
      if (name !== undefined && gmlCrs(name).northingFirst) swapAxes(geometry);
      return { srsName: name, problem };
    },
  };
}

const isMetre = (unit: string): boolean => /(?:^|[#:/])(?:m|met(?:re|er)s?)$/i.test(unit);

const isInDegrees = (srsName: string | undefined): boolean =>
  srsName !== undefined && /^EPSG:4\d{3}$|CRS84$/.test(gmlCrs(srsName).key);
