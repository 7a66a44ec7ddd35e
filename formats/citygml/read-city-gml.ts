import type { CityObject, NoticeVisitor } from '../city-object/city-object.ts';
import { readXml, type XmlHandler, type XmlReader } from '../xml/read-xml.ts';
import type { ByteRange } from '../xml/read-utf8.ts';
import type { Appearances } from './appearance.ts';
import { createAppearanceReader, type AppearanceReader } from './appearance-reader.ts';
import type { CityGmlPart } from './divide-city-gml.ts';
import { findIds } from './find-ids.ts';
import { createElementLookUp } from './known-elements.ts';
import type { Translate } from './object-attributes.ts';
import {
  applyAppearances,
  finishedGeometries,
  resolveReferences,
  type NamedSurfaces,
} from './object-geometry.ts';
import { createObjectReader, type ObjectReader, type ReadObject } from './object-reader.ts';
import { utf8Chunks } from './utf8-chunks.ts';

export interface CityGmlOptions {
  /** Starts to read the file, or a range of it; it is read again for what stands at its end or in other objects. */
  readonly chunks: (range?: ByteRange) => AsyncIterable<Uint8Array>;
  /** Only these members are read; surfaces that they refer to are found in the whole file. */
  readonly part?: CityGmlPart | undefined;
  /** Ids that are known to be nowhere in the file; those that are found to be are added. */
  readonly absentIds?: Set<string>;
  /** Limit of a text or a tag, in bytes. */
  readonly maxBytes: number;
  /** Colours and images are not asked for: the file is not searched for them. */
  readonly hasAppearances: boolean;
  /** The theme of appearances; by default that with most images. */
  readonly theme: string | undefined;
  readonly translate: Translate | undefined;
  /** Called with the name of the CRS before the first object. @returns whether northing or latitude is first */
  readonly onCrs: (srsName: string | undefined) => boolean;
  readonly onObject: (object: CityObject) => void;
  readonly onNotice: NoticeVisitor;
  /** Called now and then with the bytes read since the last call. */
  readonly onRead: (bytes: number) => void;
}

/** Objects that wait for surfaces of others; more are drawn without them. */
const maxWaiting = 20_000;

/**
 * Reads the objects of CityGML 0.4 to 3.0, one at a time. Global appearances are collected beforehand, and surfaces of
 * other objects afterwards, each if there are any. @throws SourceError
 */
export async function readCityGml(options: CityGmlOptions): Promise<void> {
  const { part, hasAppearances } = options;
  const globals: Appearances = new Map();
  if (part === undefined && hasAppearances && (await hasGlobalAppearances(options)))
    await readGlobals(options, globals);
  const waiting: { readonly object: ReadObject; readonly missing: readonly string[] }[] = [];
  await readObjects(options, part, (object) => {
    const missing = resolveReferences(object.geometries, () => undefined);
    if (missing.length > 0 && waiting.length < maxWaiting) waiting.push({ object, missing });
    else options.onObject(finish(object, globals, options));
  });
  if (waiting.length === 0) return;
  const found = await findSurfaces(options, new Set(waiting.flatMap(({ missing }) => missing)));
  for (const { object, missing } of waiting) {
    for (const id of missing) if (!found.has(id)) options.onNotice('missingSurface', object.parts[0]!.id, id);
    const { references } = object.geometries;
    const left = references.filter(({ id }) => missing.includes(id));
    resolveReferences({ ...object.geometries, references: left }, (id) => found.get(id));
    options.onObject(finish(object, globals, options));
  }
}

function finish(
  { parts, geometries, appearances }: ReadObject,
  globals: Appearances,
  { theme, hasAppearances }: CityGmlOptions,
): CityObject {
  const looks = hasAppearances ? applyAppearances(geometries, [appearances, globals], theme) : [];
  return { parts, geometries: finishedGeometries(geometries), looks };
}

/** Reads all objects of the file again for the surfaces that others refer to, unless their ids are nowhere. */
async function findSurfaces(
  options: CityGmlOptions,
  missing: ReadonlySet<string>,
): Promise<ReadonlyMap<string, NamedSurfaces>> {
  const { absentIds = new Set() } = options;
  const found = new Map<string, NamedSurfaces>();
  const wanted = missing.difference(absentIds);
  if (wanted.size === 0) return found;
  const present = await findIds(utf8Chunks(options.chunks()), wanted);
  for (const id of wanted.difference(present)) absentIds.add(id);
  if (present.size === 0) return found;
  const quiet = { ...options, onNotice: () => {}, onRead: () => options.onRead(0), translate: undefined };
  await readObjects(quiet, undefined, ({ geometries }) => {
    for (const [id, surfaces] of geometries.named) if (present.has(id)) found.set(id, surfaces);
  });
  return found;
}

/** Follows the members of the model, or of a part of it. */
async function readObjects(
  options: CityGmlOptions,
  part: CityGmlPart | undefined,
  onObject: (object: ReadObject) => void,
): Promise<void> {
  const lookUp = createElementLookUp();
  let reader: ObjectReader | undefined;
  let objectDepth = 0;
  let memberDepth = 0;
  let srsName = part?.srsName;
  let isSwapped: boolean | undefined;
  const begin = (xml: XmlReader): ObjectReader => {
    isSwapped ??= srsName === undefined ? undefined : options.onCrs(srsName);
    objectDepth = xml.depth;
    return createObjectReader({
      translate: options.translate,
      onNotice: options.onNotice,
      // without a CRS of the model, the first geometry names it
      isSwapped: () => (isSwapped ??= options.onCrs(srsName)),
    });
  };
  const handler: XmlHandler = {
    start(xml) {
      const element = lookUp(xml);
      if (reader !== undefined || memberDepth > 0) {
        srsName ??= element.role === 'other' ? undefined : xml.attribute('srsName');
        reader ??= begin(xml);
        return reader.start(xml, element);
      }
      if (element.role === 'envelope') srsName ??= xml.attribute('srsName');
      else if (xml.depth === 2 && element.role === 'member') memberDepth = xml.depth;
      else if (xml.depth === 2 && xml.name.local !== 'boundedBy') xml.skip();
    },
    text: (xml) => reader?.text(xml),
    end(xml) {
      if (reader === undefined) {
        if (xml.depth === memberDepth) memberDepth = 0;
        return;
      }
      reader.end(xml);
      if (xml.depth !== objectDepth) return;
      onObject(reader.take());
      reader = undefined;
    },
  };
  const endsAnywhere = part !== undefined;
  await readXml(part === undefined ? utf8Chunks(options.chunks()) : chunksOfPart(options, part), handler, {
    ...options,
    endsAnywhere,
  });
}

async function* chunksOfPart(
  { chunks }: CityGmlOptions,
  { openTags, start, end }: CityGmlPart,
): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(openTags);
  yield* chunks({ start, end });
}

const marker = Buffer.from('appearanceMember');

/** Whether the file has appearances outside of objects, as far as a search for their name tells. */
async function hasGlobalAppearances({ chunks }: CityGmlOptions): Promise<boolean> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks()) {
    const text = Buffer.concat([rest, chunk]);
    if (text.includes(marker)) return true;
    rest = text.subarray(Math.max(0, text.length - marker.length));
  }
  return false;
}

async function readGlobals(options: CityGmlOptions, globals: Appearances): Promise<void> {
  let reader: AppearanceReader | undefined;
  const handler: XmlHandler = {
    start(xml) {
      if (reader !== undefined) return reader.start(xml);
      if (xml.depth !== 2) return;
      if (xml.name.local !== 'appearanceMember') return xml.skip();
      reader = createAppearanceReader(globals, (what) => options.onNotice('unsupportedAppearance', '', what));
    },
    text: (xml) => reader?.text(xml),
    end(xml) {
      if (xml.depth === 2) reader = undefined;
      else reader?.end(xml);
    },
  };
  await readXml(utf8Chunks(options.chunks()), handler, options);
}
