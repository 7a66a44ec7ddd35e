import { isGroup } from '../city-object/object-classes.ts';
import { addAttribute } from '../city-object/attributes.ts';
import type {
  Attributes,
  CityGeometry,
  CityObject,
  CityPart,
  Look,
  NoticeVisitor,
} from '../city-object/city-object.ts';

import { asObject, asObjects, asText, asTexts, type JsonObject } from '../json/read-values.ts';
import { parseAt, scanMembers, skipSpace, skipValue } from '../json/scan-members.ts';
import { SourceError } from '../source/source.ts';
import { emptyHeader, readModelHeader, type ModelHeader } from './model-header.ts';
import { readGeometry, verticesOf, type GeometryContext } from './object-geometries.ts';
import { parseVertices } from './take-vertices.ts';

export interface CityJsonOptions {
  readonly theme: string | undefined;
  readonly onCrs: (name: string | undefined) => void;
  readonly onObject: (object: CityObject) => void;
  readonly onNotice: NoticeVisitor;
  /** Called now and then with the bytes read so far. */
  readonly onRead: (bytes: number) => void;
}

/** The members of a root, as ranges of the text. */
interface RootMembers {
  readonly objects: ReadonlyMap<string, readonly [start: number, end: number]>;
  readonly vertices: Float64Array;
  readonly others: JsonObject;
  /** Behind the root. */
  readonly end: number;
}

/**
 * Reads the objects of a CityJSON file of version 1.0 to 2.0 (OGC 20-072r5), or of a CityJSONSeq, whose first line
 * has what all of them share. @throws SourceError
 */
export function readCityJson(bytes: Uint8Array, options: CityJsonOptions): void {
  let at = skipSpace(bytes, bytes[0] === 0xef ? 3 : 0);
  let header: ModelHeader | undefined;
  while (at < bytes.length) {
    const root = scanRoot(bytes, at);
    if (header === undefined) {
      options.onCrs(asText(asObject(root.others['metadata'])?.['referenceSystem']));
      header = readModelHeader(root.others, emptyHeader);
    }
    readObjects(bytes, root, { options, header: readModelHeader(root.others, header) });
    options.onRead(root.end);
    at = skipSpace(bytes, root.end);
  }
}

function scanRoot(bytes: Uint8Array, start: number): RootMembers {
  const objects = new Map<string, readonly [number, number]>();
  const others: Record<string, unknown> = {};
  let vertices: Float64Array = new Float64Array(0);
  let broken: number | undefined;
  const scanned = scanMembers(bytes, start, (name, from, to) => {
    if (name === 'CityObjects') {
      const { state, at } = scanMembers(
        bytes,
        from,
        (id, first, last) => void objects.set(id, [first, last]),
      );
      if (state !== 'whole') broken = at;
    } else if (name === 'vertices') vertices = parseVertices(bytes, from, to);
    else others[name] = parseAt(bytes, from, to);
  });
  if (scanned.state === 'cutOff')
    throw new SourceError('truncatedFile', 'the file ends too early: it is incomplete, upload it again', {
      byte: scanned.at,
    });
  if (scanned.state === 'broken' || broken !== undefined)
    throw new SourceError('brokenJson', `the JSON is damaged at byte ${broken ?? scanned.at}`, {
      byte: broken ?? scanned.at,
    });
  return { objects, vertices, others, end: scanned.at };
}

interface Reading {
  readonly options: CityJsonOptions;
  readonly header: ModelHeader;
}

const parentsName = Buffer.from('"parents"');
const groupName = Buffer.from('"CityObjectGroup"');
const maxParts = 10_000;

/** Gathers what is below each object of the top level. */
function readObjects(
  bytes: Uint8Array,
  { objects, vertices }: RootMembers,
  { options, header }: Reading,
): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const placed = verticesOf(vertices, header.scale, header.translate);
  const used = new Set<string>();
  const parse = (id: string): JsonObject | undefined => {
    const range = objects.get(id);
    return range && asObject(parseAt(bytes, range[0], range[1]));
  };
  const groups = groupsAmong(text, objects, parse);
  const claims = claimsAmong(text, objects);
  /** Members of a group are no parts of it, though it is among their parents since version 1.1. */
  const parentsOf = (value: JsonObject | undefined): string[] =>
    asTexts(value?.['parents']).filter((parent) => !groups.has(parent));
  const claimed = new Map<string, ReadonlySet<string>>();
  /** Reads each once, as an object can seem to name very many parents. */
  const isBelow = (id: string, parent: string): boolean => {
    let parents = claimed.get(id);
    if (parents === undefined) claimed.set(id, (parents = new Set(parentsOf(parse(id)))));
    return parents.has(parent);
  };
  const begin = (id: string, value: JsonObject): void => {
    const looks: Look[] = [];
    const numbers = new Map<Look, number>();
    const object: CityObject = { parts: [], geometries: [], looks };
    const context: GeometryContext = {
      header,
      vertices: placed,
      theme: options.theme,
      onBadIndex: () => options.onNotice('badIndices', id, ''),
      onSurfaceAttribute: (name) => options.onNotice('surfaceAttribute', id, name),
      numberOf(look) {
        let number = numbers.get(look);
        if (number === undefined) {
          numbers.set(look, (number = looks.length));
          looks.push(look);
        }
        return number;
      },
    };
    gather(object, { id, value, parent: -1 }, context);
    options.onObject(object);
  };
  const gather = (
    object: CityObject,
    { id, value, parent }: { readonly id: string; readonly value: JsonObject; readonly parent: number },
    context: GeometryContext,
  ): void => {
    used.add(id);
    const part = object.parts.length;
    object.parts.push(partOf(id, value, parent));
    for (const geometry of asObjects(value['geometry'])) {
      const read: CityGeometry | undefined = geometry && readGeometry(geometry, part, context);
      if (read !== undefined) object.geometries.push(read);
    }
    if (groups.has(id)) return;
    const listed = new Set(asTexts(value['children']));
    for (const child of listed.union(new Set(claims.children.get(id)))) {
      if (used.has(child) || object.parts.length >= maxParts) continue;
      const inner = listed.has(child) || isBelow(child, id) ? parse(child) : undefined;
      if (inner !== undefined) gather(object, { id: child, value: inner, parent: part }, context);
    }
  };
  for (const id of objects.keys()) {
    const mayHaveParents = claims.claimants.has(id);
    if (mayHaveParents && groups.size === 0) continue;
    const value = parse(id);
    if (mayHaveParents && parentsOf(value).length > 0) continue;
    if (value === undefined || asText(value['type']) === undefined) options.onNotice('brokenObject', id, '');
    else begin(id, value);
  }
  // first those that nothing in the file is above, so that others can join them
  for (const notice of ['missingParent', 'circularParts'] as const)
    for (const id of objects.keys()) {
      if (used.has(id)) continue;
      const value = parse(id);
      if (value === undefined) continue;
      const parents = parentsOf(value);
      if (notice === 'missingParent' && parents.some((parent) => objects.has(parent))) continue;
      if (parents.length > 0) options.onNotice(notice, id, parents.join(', '));
      begin(id, value);
    }
}

interface Claims {
  /** Objects that may have parents. */
  readonly claimants: ReadonlySet<string>;
  /** Objects that seem to name a parent, by it: it may not name them. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

function claimsAmong(text: Buffer, objects: RootMembers['objects']): Claims {
  const claimants = new Set<string>();
  const children = new Map<string, string[]>();
  for (const [id, [start, end]] of objects) {
    const own = text.subarray(start, end);
    // attributes may be called so, too
    for (let found = own.indexOf(parentsName); found >= 0;) {
      claimants.add(id);
      const from = skipSpace(own, skipSpace(own, found + parentsName.length) + 1);
      const end = skipValue(own, from);
      for (const parent of asTexts(parseAt(own, from, end))) {
        if (!objects.has(parent)) continue;
        const known = children.get(parent);
        if (known) known.push(id);
        else children.set(parent, [id]);
      }
      found = own.indexOf(parentsName, Math.max(from, end));
    }
  }
  return { claimants, children };
}

function groupsAmong(
  text: Buffer,
  objects: RootMembers['objects'],
  parse: (id: string) => JsonObject | undefined,
): ReadonlySet<string> {
  const groups = new Set<string>();
  for (const [id, [start, end]] of objects) {
    if (!text.subarray(start, end).includes(groupName)) continue;
    if (isGroup(asText(parse(id)?.['type']) ?? '')) groups.add(id);
  }
  return groups;
}

function partOf(id: string, value: JsonObject, parent: number): CityPart {
  const attributes: Attributes = new Map();
  takeAttributes(attributes, '', asObject(value['attributes']) ?? {}, 0);
  for (const address of asObjects(Array.isArray(value['address']) ? value['address'] : [value['address']]))
    takeAttributes(attributes, 'address', address ?? {}, 0);
  return { id, class: (asText(value['type']) ?? '').slice(0, 200), parent, attributes };
}

const deepest = 8;

function takeAttributes(attributes: Attributes, path: string, value: JsonObject, depth: number): void {
  for (const [name, inner] of Object.entries(value)) {
    const key = path === '' ? name : `${path}.${name}`;
    if (typeof inner === 'string' || typeof inner === 'boolean') addAttribute(attributes, key, inner);
    else if (typeof inner === 'number') addAttribute(attributes, key, inner);
    else if (Array.isArray(inner)) takeList(attributes, key, inner);
    else if (asObject(inner) !== undefined && depth < deepest && name !== 'location')
      takeAttributes(attributes, key, asObject(inner)!, depth + 1);
  }
}

function takeList(attributes: Attributes, key: string, values: readonly unknown[]): void {
  const isPlain = values.every((value) => typeof value !== 'object');
  const text = isPlain ? values.join('; ') : JSON.stringify(values);
  addAttribute(attributes, key, text.slice(0, 10_000));
}
