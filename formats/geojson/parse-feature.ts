import { expectByte, fault, nextToken, skipString, skipValue, SyntaxFault, type Cursor } from './cursor.ts';
import { clearGeometry, positionDepths, type GeometryType } from '../feature/geometry-buffer.ts';
import { createFeature, type Feature } from '../feature/feature.ts';
import { parseCoordinates } from './parse-coordinates.ts';

/** The kind of an object at the top of a file or in `features`. */
export type ObjectKind = 'feature' | 'collection' | 'other';

export interface ObjectParser {
  readonly feature: Feature;
  /** Members of a FeatureCollection seen so far. */
  readonly collection: Record<string, unknown>;
  /**
   * Starts at the opening brace. The cursor ends behind the bracket that opens the features of a FeatureCollection, or
   * else behind the closing brace.
   */
  parseObject(cursor: Cursor): ObjectKind;
  /** The rest of a FeatureCollection, from behind the bracket that closes its features. */
  parseRest(cursor: Cursor): void;
}

const maxCollectionDepth = 16;

/** @param decode text of a range of bytes */
export function createObjectParser(
  decode: (bytes: Buffer, start: number, end: number) => string,
  keepsHeights = false,
): ObjectParser {
  const feature = createFeature(keepsHeights);
  const { geometry } = feature;
  let collection: Record<string, unknown> = {};

  const parseJson = (cursor: Cursor): unknown => {
    nextToken(cursor);
    const start = cursor.at;
    skipValue(cursor);
    try {
      return JSON.parse(decode(cursor.bytes, start, cursor.at));
    } catch (error) {
      throw new SyntaxFault((error as Error).message, start);
    }
  };
  const parseKey = (cursor: Cursor): string => {
    if (nextToken(cursor) !== 34) fault(cursor, cursor.at, 'a member name');
    const start = cursor.at + 1;
    skipString(cursor);
    const key = knownKey(cursor.bytes, start, cursor.at - 1) ?? decode(cursor.bytes, start, cursor.at - 1);
    expectByte(cursor, 58);
    return key;
  };
  /** Behind a member: true if another follows. */
  const more = (cursor: Cursor): boolean => {
    const byte = nextToken(cursor);
    cursor.at++;
    if (byte === 44) return true;
    if (byte !== 125) fault(cursor, cursor.at - 1, '"," or "}"');
    return false;
  };
  const opens = (cursor: Cursor): boolean => {
    expectByte(cursor, 123);
    if (nextToken(cursor) !== 125) return true;
    cursor.at++;
    return false;
  };

  let coordinates: { depth: number; problem: string | undefined } | undefined;
  const readCoordinates = (cursor: Cursor): void => {
    if (nextToken(cursor) === 91) coordinates = parseCoordinates(cursor, geometry);
    else {
      parseJson(cursor);
      coordinates = { depth: 0, problem: 'the coordinates are not an array' };
    }
  };
  const endGeometry = (type: unknown, polygonStart: number): void => {
    const given = coordinates;
    coordinates = undefined;
    if (typeof type !== 'string' || !Object.hasOwn(positionDepths, type)) {
      feature.problem ??= `the geometry type ${JSON.stringify(type) ?? 'is missing and'} is unknown`;
    } else if (given === undefined) feature.problem ??= `a ${type} has no coordinates`;
    else if (given.depth === 0) {
      // RFC 7946, 3.1: empty coordinates may be read as no geometry.
      if (given.problem !== 'an array of coordinates is empty') feature.problem ??= given.problem;
    } else if (given.problem !== undefined) feature.problem ??= given.problem;
    else if (given.depth !== positionDepths[type as GeometryType]) {
      const expected = positionDepths[type as GeometryType];
      feature.problem ??= `the coordinates of a ${type} are nested ${given.depth} deep instead of ${expected}`;
    } else {
      const polygonEnd = geometry.polygonEnds.length;
      geometry.parts.push({ type: type as GeometryType, polygonStart, polygonEnd });
    }
  };
  const parseGeometries = (cursor: Cursor, depth: number): void => {
    if (nextToken(cursor) !== 91) {
      parseJson(cursor);
      feature.problem ??= 'the geometries of a GeometryCollection are not an array';
      return;
    }
    cursor.at++;
    if (nextToken(cursor) === 93) {
      cursor.at++;
      return;
    }
    for (;;) {
      parseGeometry(cursor, depth + 1);
      const byte = nextToken(cursor);
      cursor.at++;
      if (byte === 93) return;
      if (byte !== 44) fault(cursor, cursor.at - 1, '"," or "]"');
    }
  };
  const parseGeometry = (cursor: Cursor, depth: number): void => {
    if (nextToken(cursor) !== 123 || depth > maxCollectionDepth) {
      if (parseJson(cursor) !== null) {
        feature.problem ??=
          depth > maxCollectionDepth ? 'geometries are nested too deep' : 'the geometry is not an object';
      }
      return;
    }
    let type: unknown;
    let hasMembers = false;
    const polygonStart = geometry.polygonEnds.length;
    for (let open = opens(cursor); open; open = more(cursor)) {
      const key = parseKey(cursor);
      if (key === 'type') type = parseJson(cursor);
      else if (key === 'coordinates') readCoordinates(cursor);
      else if (key === 'geometries') {
        hasMembers = true;
        parseGeometries(cursor, depth);
      } else parseJson(cursor);
    }
    if (type === 'GeometryCollection' && hasMembers) coordinates = undefined;
    else endGeometry(type, polygonStart);
  };

  return {
    feature,
    get collection() {
      return collection;
    },
    parseObject(cursor) {
      if (nextToken(cursor) !== 123) fault(cursor, cursor.at, '"{"');
      clearGeometry(geometry);
      feature.id = undefined;
      feature.properties = {};
      feature.problem = undefined;
      coordinates = undefined;
      const others: Record<string, unknown> = {};
      let type: unknown;
      let bare = false;
      let hasGeometry = false;
      for (let open = opens(cursor); open; open = more(cursor)) {
        const key = parseKey(cursor);
        if (key === 'geometry') {
          hasGeometry = true;
          parseGeometry(cursor, 0);
        } else if (key === 'properties') {
          const value = parseJson(cursor);
          if (typeof value === 'object' && value !== null)
            feature.properties = value as Record<string, unknown>;
        } else if (key === 'type') type = parseJson(cursor);
        else if (key === 'id') {
          const value = parseJson(cursor);
          if (typeof value === 'string' || typeof value === 'number') feature.id = value;
        } else if (key === 'features' && nextToken(cursor) === 91) {
          cursor.at++;
          collection = others;
          return 'collection';
        } else if (key === 'coordinates') {
          bare = true;
          readCoordinates(cursor);
        } else if (key === 'geometries') {
          bare = true;
          parseGeometries(cursor, 0);
        } else if (key === 'crs') others[key] = parseJson(cursor);
        else parseJson(cursor);
      }
      if (type === 'Feature' || hasGeometry) return 'feature';
      if (!bare) {
        if (type !== undefined)
          feature.problem = `an object of type ${JSON.stringify(type)} is not a feature`;
        return 'other';
      }
      if (type !== 'GeometryCollection') endGeometry(type, 0);
      return 'feature';
    },
    parseRest(cursor) {
      while (more(cursor)) {
        const key = parseKey(cursor);
        const value = parseJson(cursor);
        if (key === 'crs') collection[key] = value;
      }
    },
  };
}

const keys = ['type', 'id', 'geometry', 'properties', 'coordinates', 'geometries', 'features', 'crs'];

/** Spares the decoding of the few names that make up nearly all. */
function knownKey(bytes: Buffer, start: number, end: number): string | undefined {
  for (const key of keys) {
    if (key.length !== end - start || key.charCodeAt(0) !== bytes[start]) continue;
    let i = 1;
    while (i < key.length && key.charCodeAt(i) === bytes[start + i]) i++;
    if (i === key.length) return key;
  }
  return undefined;
}
