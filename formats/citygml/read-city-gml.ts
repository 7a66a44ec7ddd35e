import { containsText } from '../bytes/contains-text.ts';
import type { CityObject, NoticeVisitor } from '../city-object/city-object.ts';
import { leaveBlock, type SurfaceSet } from '../city-object/surface-set.ts';
import { readXml, type XmlHandler, type XmlReader } from '../xml/read-xml.ts';
import type { ByteRange } from '../xml/read-utf8.ts';
import type { Appearances } from './appearance.ts';
import { createAppearanceReader, type AppearanceReader } from './appearance-reader.ts';
import type { CityGmlPart } from './divide-city-gml.ts';
import { findIds } from './find-ids.ts';
import { createAttributePaths } from './attribute-path.ts';
import { createElementLookUp } from './known-elements.ts';
import type { Translate } from './object-attributes.ts';
import {
  applyAppearances,
  finishedGeometries,
  resolveReferences,
  type NamedSurfaces,
} from './object-geometry.ts';
import { ObjectReader, type ReadObject } from './object-reader.ts';
import { utf8Chunks } from './utf8-chunks.ts';

export interface CityGmlOptions {
  /** Starts to read the file, or a range of it; it is read again for what stands at its end or in other objects. */
  readonly chunks: (range?: ByteRange) => AsyncIterable<Uint8Array>;
  /** Only these members are read; surfaces that they refer to are found in the whole file. */
  readonly part?: CityGmlPart | undefined;
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
  /**
   * Called with objects that refer to surfaces of others, to be read by `readWaiting` once all parts have been; without it,
   * these surfaces are looked for in the whole file.
   */
  readonly onWaiting?: (waiting: WaitingObject) => void;
  /** Called with the id of each surface, or of what has surfaces, that others may refer to. */
  readonly onSurfaceId?: (id: string) => void;
  /** Called now and then with the bytes read since the last call. */
  readonly onRead: (bytes: number) => void;
}

/** An object that refers to surfaces that are not its own. Plain data. */
export interface WaitingObject {
  /** The object alone. */
  readonly part: CityGmlPart;
  readonly missing: readonly string[];
}

/** Objects that wait for surfaces of others; more are drawn without them. */
const maxWaiting = 20_000;
/** Characters of what is kept of objects of a part that wait. */
const maxWaitingLength = 32 << 20;

/**
 * Reads the objects of CityGML 0.4 to 3.0, one at a time. Global appearances are collected beforehand, and surfaces of
 * other objects afterwards, each if there are any. @throws SourceError
 */
export async function readCityGml(options: CityGmlOptions): Promise<void> {
  const { part, hasAppearances } = options;
  const globals: Appearances = new Map();
  // appearances outside of objects
  const mayHaveGlobals = part === undefined && hasAppearances;
  if (mayHaveGlobals && (await containsText(options.chunks(), 'appearanceMember')))
    await readGlobals(options, globals);
  const waiting: { readonly object: ReadObject; readonly missing: readonly string[] }[] = [];
  let [count, length] = [0, 0];
  await readObjects(options, part, (object, partOf) => {
    if (options.onSurfaceId !== undefined)
      for (const id of object.geometries.named.keys()) options.onSurfaceId(id);
    const missing = resolveReferences(object.geometries, () => undefined);
    const canWait = missing.length > 0 && count < maxWaiting && length < maxWaitingLength;
    if (!canWait) {
      options.onObject(finish(object, globals, options));
      return;
    }
    count++;
    if (options.onWaiting === undefined) {
      for (const { surfaces } of object.geometries.geometries) leaveBlock(surfaces);
      waiting.push({ object, missing });
      return;
    }
    const part = partOf();
    length += part.openTags.length + missing.reduce((sum, id) => sum + id.length, 0);
    options.onWaiting({ part, missing });
  });
  if (waiting.length === 0) return;
  const wanted = new Set(waiting.flatMap(({ missing }) => missing));
  const present = await findIds(utf8Chunks(options.chunks()), wanted);
  const found = await readSurfaces(options, present.size === 0 ? [] : [undefined], present);
  for (const { object, missing } of waiting) {
    takeSurfaces(object, missing, { found, options });
    options.onObject(finish(object, globals, options));
  }
}

export interface WaitingObjects {
  readonly waiting: readonly WaitingObject[];
  /** The parts of the file in which ids were found that are missing. */
  readonly sources: readonly CityGmlPart[];
}

/** Reads objects that waited for surfaces of others, as far as these are in other parts of the file. @throws SourceError */
export async function readWaiting(
  options: CityGmlOptions,
  { waiting, sources }: WaitingObjects,
): Promise<void> {
  const wanted = new Set(waiting.flatMap(({ missing }) => missing));
  const found = await readSurfaces(options, sources, wanted);
  // the first reading has said what there is to say of the objects themselves
  const again = { ...options, onNotice: () => {} };
  for (const { part, missing } of waiting)
    await readObjects(again, part, (object) => {
      resolveReferences(object.geometries, () => undefined);
      takeSurfaces(object, missing, { found, options });
      options.onObject(finish(object, new Map(), options));
    });
}

type FoundSurfaces = ReadonlyMap<string, NamedSurfaces>;

/** Copies surfaces of other objects to where an object refers to them. */
function takeSurfaces(
  { parts, geometries }: ReadObject,
  missing: readonly string[],
  { found, options }: { readonly found: FoundSurfaces; readonly options: CityGmlOptions },
): void {
  for (const id of missing) if (!found.has(id)) options.onNotice('missingSurface', parts[0]!.id, id);
  const left = geometries.references.filter(({ id }) => missing.includes(id));
  resolveReferences({ ...geometries, references: left }, (id) => found.get(id));
}

function finish(
  { parts, geometries, appearances }: ReadObject,
  globals: Appearances,
  { theme, hasAppearances }: CityGmlOptions,
): CityObject {
  const looks = hasAppearances ? applyAppearances(geometries, [appearances, globals], theme) : [];
  return { parts, geometries: finishedGeometries(geometries), looks };
}

/** Reads objects for surfaces that others refer to. @param parts undefined: the whole file */
async function readSurfaces(
  options: CityGmlOptions,
  parts: readonly (CityGmlPart | undefined)[],
  wanted: ReadonlySet<string>,
): Promise<FoundSurfaces> {
  const found = new Map<string, NamedSurfaces>();
  const quiet = { ...options, onNotice: () => {}, onRead: () => options.onRead(0), translate: undefined };
  for (const part of parts)
    await readObjects(quiet, part, ({ geometries }) => {
      const kept = new Set<SurfaceSet>();
      for (const [id, surfaces] of geometries.named) {
        if (!wanted.has(id)) continue;
        found.set(id, surfaces);
        kept.add(surfaces.geometry.surfaces);
      }
      kept.forEach(leaveBlock);
    });
  return found;
}

/** Follows the members of the model, or of a part of it. */
async function readObjects(
  options: CityGmlOptions,
  part: CityGmlPart | undefined,
  onObject: (object: ReadObject, partOf: () => CityGmlPart) => void,
): Promise<void> {
  const lookUp = createElementLookUp();
  const reader = new ObjectReader({
    paths: createAttributePaths(),
    translate: options.translate,
    onNotice: options.onNotice,
    // without a CRS of the model, the first geometry names it
    isSwapped: () => (isSwapped ??= options.onCrs(srsName)),
  });
  /** 0: outside of objects. */
  let objectDepth = 0;
  let objectStart = 0;
  let objectCount = part?.membersBefore ?? 0;
  let memberDepth = 0;
  // before the range of a part, its tags are read
  const shift = part === undefined ? 0 : part.start - Buffer.byteLength(part.openTags);
  let srsName = part?.srsName;
  let isSwapped: boolean | undefined;
  const begin = (xml: XmlReader): void => {
    isSwapped ??= srsName === undefined ? undefined : options.onCrs(srsName);
    objectDepth = xml.depth;
    objectStart = xml.tagStart();
  };
  const handler: XmlHandler = {
    start(xml) {
      if (reader.isInGeometry) {
        srsName ??= xml.attribute('srsName');
        return reader.startInGeometry(xml);
      }
      const element = lookUp(xml);
      if (objectDepth > 0 || memberDepth > 0) {
        srsName ??= element.role === 'other' ? undefined : xml.attribute('srsName');
        if (objectDepth === 0) begin(xml);
        return reader.start(xml, element);
      }
      if (element.role === 'envelope') srsName ??= xml.attribute('srsName');
      else if (xml.depth === 2 && element.role === 'member') memberDepth = xml.depth;
      else if (xml.depth === 2 && xml.name.local !== 'boundedBy') xml.skip();
    },
    text(xml) {
      if (objectDepth > 0) reader.text(xml);
    },
    end(xml) {
      if (objectDepth === 0) {
        if (xml.depth === memberDepth) memberDepth = 0;
        return;
      }
      reader.end(xml);
      if (xml.depth !== objectDepth) return;
      onObject(reader.take(), () => ({
        start: objectStart + shift,
        end: xml.tagEnd() + shift,
        membersBefore: objectCount,
        openTags: xml.openTags(1),
        srsName,
      }));
      objectCount++;
      objectDepth = 0;
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
