import { addAttribute } from '../city-object/attributes.ts';
import type { CityPart, NoticeVisitor } from '../city-object/city-object.ts';
import { roleNumberOf } from '../city-object/surface-roles.ts';
import { endRing3d, endSurface3d, flipLastSurface, pushPosition3d } from '../city-object/surface-set.ts';
import { isGmlNamespace } from '../gml/gml-names.ts';
import { readNumber, skipSpaces, type NumberCursor } from '../xml/read-numbers.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import type { Appearances } from './appearance.ts';
import { createAppearanceReader, idOfReference, type AppearanceReader } from './appearance-reader.ts';
import type { KnownElement } from './element-role.ts';
import { genericValue, simpleValue, type Translate } from './object-attributes.ts';
import {
  createObjectGeometries,
  matrixOf,
  openGeometry,
  type ObjectGeometries,
  type OpenGeometry,
} from './object-geometry.ts';

/** What an open element is for the reader. */
type FrameKind =
  | 'part'
  | 'surface'
  | 'geometry'
  | 'inGeometry'
  | 'polygon'
  | 'ring'
  | 'positions'
  | 'matrix'
  | 'referencePoint'
  | 'generic'
  | 'value'
  | 'appearance'
  | 'inAppearance';

interface Frame {
  readonly kind: FrameKind;
  readonly local: string;
  /** The id, and where the surfaces begin that it is for. */
  readonly id: string | undefined;
  firstSurface: number;
  /** What was set before the element, and is set again behind it. */
  readonly before: State;
  /** The name of an attribute below this element begins with it. */
  readonly path: string;
  codeSpace: string | undefined;
  isLeaf: boolean;
}

interface State {
  readonly part: number;
  readonly role: number;
  readonly geometry: OpenGeometry | undefined;
  readonly isFlipped: boolean;
}

/** An object that has been read, before its references and appearances are resolved. */
export interface ReadObject {
  readonly parts: CityPart[];
  readonly geometries: ObjectGeometries;
  readonly appearances: Appearances;
}

export interface ObjectReaderOptions {
  readonly translate: Translate | undefined;
  readonly onNotice: NoticeVisitor;
  /** Northing or latitude comes first in the file. */
  readonly isSwapped: () => boolean;
}

/** Follows the elements of one city object. */
export interface ObjectReader {
  start(xml: XmlReader, element: KnownElement): void;
  text(xml: XmlReader): void;
  end(xml: XmlReader): void;
  /** The object, once its element has ended. */
  take(): ReadObject;
}

const drawnGeometries =
  /^lod\d(?:(?:Multi|Composite)?(?:Solid|Surface|Geometry)|ImplicitRepresentation|FootPrint|RoofEdge)$/;
const skippedGeometries = /TerrainIntersection|Curve|MultiPoint|Network|^lod\dPoint|PointCloud/;
const comma = 44;
const maxIdLength = 1000;

export function createObjectReader({ translate, onNotice, isSwapped }: ObjectReaderOptions): ObjectReader {
  const parts: CityPart[] = [];
  const geometries = createObjectGeometries();
  const appearances: Appearances = new Map();
  const frames: Frame[] = [];
  const cursor: NumberCursor = { bytes: Buffer.alloc(0), at: 0, end: 0 };
  const point: number[] = [];
  let state: State = { part: -1, role: 0, geometry: undefined, isFlipped: false };
  let appearance: AppearanceReader | undefined;
  let genericName: string | undefined;

  const push = (
    kind: FrameKind,
    xml: XmlReader,
    more: { id?: string | undefined; path?: string } = {},
  ): void => {
    frames.push({
      kind,
      local: xml.name.local,
      id: more.id,
      firstSurface: state.geometry?.surfaces.surfaceEnds.length ?? 0,
      before: state,
      path: more.path ?? '',
      codeSpace: undefined,
      isLeaf: true,
    });
  };
  const own = (): CityPart => parts[state.part]!;

  const startPart = (xml: XmlReader): void => {
    const id = xml.attribute('id')?.slice(0, maxIdLength) ?? '';
    push('part', xml);
    parts.push({ id, class: xml.name.local.slice(0, 200), parent: state.part, attributes: new Map() });
    state = { part: parts.length - 1, role: 0, geometry: undefined, isFlipped: false };
  };
  /** The surfaces of a part in one level of detail belong together, however many elements they are in. */
  const geometryFor = (lod: number, local: string): OpenGeometry => {
    const { part, role } = state;
    const isSurface = role !== 0 && local.endsWith('MultiSurface');
    const last = geometries.geometries.at(-1);
    if (isSurface && last?.isThematic === true && last.part === part && last.lod === lod) return last;
    const geometry = openGeometry({ part, lod, isSolid: local.includes('Solid'), isThematic: isSurface });
    geometries.geometries.push(geometry);
    return geometry;
  };
  const startGeometry = (xml: XmlReader, lod: number): void => {
    const { local } = xml.name;
    push('geometry', xml);
    const geometry = geometryFor(lod, local);
    state = { ...state, geometry, isFlipped: false };
    frames.at(-1)!.firstSurface = geometry.surfaces.surfaceEnds.length;
    refer(xml, geometry);
  };
  const refer = (xml: XmlReader, geometry: OpenGeometry): void => {
    const href = xml.attribute('href');
    if (href !== undefined)
      geometries.references.push({ geometry, id: idOfReference(href), isFlipped: state.isFlipped });
  };
  const startInGeometry = (xml: XmlReader): void => {
    const { local } = xml.name;
    const geometry = state.geometry!;
    const id = xml.attribute('id')?.slice(0, maxIdLength);
    switch (local) {
      case 'Polygon':
      case 'PolygonPatch':
      case 'Triangle':
      case 'Rectangle':
        return push('polygon', xml, { id });
      case 'LinearRing':
        return push('ring', xml, { id });
      case 'posList':
      case 'pos':
      case 'coordinates':
        return push('positions', xml);
      case 'transformationMatrix':
        return push('matrix', xml);
      case 'referencePoint':
        point.length = 0;
        return push('referencePoint', xml);
      case 'ImplicitGeometry':
        geometry.matrix ??= [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
        return push('inGeometry', xml, { id });
      case 'libraryObject':
        onNotice('libraryObject', own().id, local);
        break;
      case 'OrientableSurface':
        push('inGeometry', xml, { id });
        if (xml.attribute('orientation') === '-') state = { ...state, isFlipped: !state.isFlipped };
        return;
      case 'appearance': // of a TexturedSurface, which CityGML 1.0 gave up
        onNotice('unsupportedAppearance', own().id, 'TexturedSurface');
        xml.skip();
        break;
      case 'LineString':
      case 'Curve':
        xml.skip();
        break;
      default:
        refer(xml, geometry);
    }
    push('inGeometry', xml, { id });
  };
  const startProperty = (xml: XmlReader, element: KnownElement, parent: Frame): void => {
    const { local } = xml.name;
    const { role } = element;
    if (role === 'genericAttribute') {
      genericName = xml.attribute('name');
      return push('generic', xml, { path: parent.path });
    }
    if (parent.kind === 'generic' && (local === 'value' || local === 'name')) return push('value', xml);
    if (local === 'genericAttributeSet')
      return push('value', xml, { path: joined(parent.path, xml.attribute('name') ?? '') });
    const isStructure = isUpper(local) || withoutName.has(local);
    push('value', xml, { path: isStructure ? parent.path : joined(parent.path, local) });
    frames.at(-1)!.codeSpace = xml.attribute('codeSpace');
  };

  const readPositions = (xml: XmlReader): void => {
    const surfaces = state.geometry!.surfaces;
    const isPoint = frames.some(({ kind }) => kind === 'referencePoint');
    const inRing = frames.at(-2)?.kind === 'ring' || frames.at(-3)?.kind === 'ring';
    if (!isPoint && !inRing) return;
    const swaps = isSwapped() && (isPoint || state.geometry!.matrix === undefined);
    cursor.bytes = xml.bytes;
    cursor.at = xml.textStart;
    cursor.end = xml.textEnd;
    let [x, y, axis] = [0, 0, 0];
    for (;;) {
      skipSpaces(cursor);
      if (cursor.at >= cursor.end) return;
      if (xml.bytes[cursor.at] === comma) {
        cursor.at++;
        continue;
      }
      const value = readNumber(cursor);
      if (!Number.isFinite(value)) return onNotice('badPositions', own().id, '');
      if (isPoint) point.push(value);
      else if (axis === 0) x = value;
      else if (axis === 1) y = value;
      else if (swaps) pushPosition3d(surfaces, y, x, value);
      else pushPosition3d(surfaces, x, y, value);
      axis = (axis + 1) % 3;
    }
  };
  const endFrame = ({ kind, id, firstSurface, before }: Frame): void => {
    const { geometry, isFlipped } = state;
    if (kind === 'ring') {
      endRing3d(geometry!.surfaces);
      if (id !== undefined)
        geometries.rings.set(id, { geometry: geometry!, ring: geometry!.surfaces.ringEnds.length - 1 });
    } else if (kind === 'polygon') {
      endRing3d(geometry!.surfaces);
      endSurface3d(geometry!.surfaces, state.role);
      if (isFlipped) flipLastSurface(geometry!.surfaces);
    } else if (kind === 'referencePoint') {
      const [x = 0, y = 0, z = 0] = point;
      geometry!.anchor = isSwapped() ? [y, x, z] : [x, y, z];
    }
    if ((kind === 'polygon' || kind === 'inGeometry') && id !== undefined && geometry !== undefined) {
      const end = geometry.surfaces.surfaceEnds.length;
      if (end > firstSurface) geometries.named.set(id, { geometry, start: firstSurface, end });
    }
    state = before;
  };

  return {
    start(xml, element) {
      const parent = frames.at(-1);
      if (parent === undefined) return startPart(xml);
      parent.isLeaf = false;
      const { role } = element;
      const { local } = xml.name;
      if (appearance !== undefined) {
        appearance.start(xml);
        return push('inAppearance', xml);
      }
      if (state.geometry !== undefined) return startInGeometry(xml);
      if (role === 'cityObject') return startPart(xml);
      if (role === 'boundarySurface') {
        push('surface', xml);
        state = { ...state, role: roleNumberOf(local) };
      } else if (local === 'tin') startGeometry(xml, reliefLod(own()));
      else if (role === 'lod') {
        if (drawnGeometries.test(local)) return startGeometry(xml, Number(element.lod) * 10);
        if (!skippedGeometries.test(local)) return startProperty(xml, element, parent);
        push('value', xml);
        xml.skip();
      } else if (local === 'appearance' || local === 'appearanceMember') {
        appearance = createAppearanceReader(appearances, (what) =>
          onNotice('unsupportedAppearance', own().id, what),
        );
        push('appearance', xml);
      } else if (role === 'envelope' || (role === 'gml' && isGeometry(xml))) {
        push('value', xml);
        xml.skip();
      } else startProperty(xml, element, parent);
    },
    text(xml) {
      const frame = frames.at(-1);
      if (frame === undefined || !frame.isLeaf) return;
      if (frame.kind === 'positions') readPositions(xml);
      else if (frame.kind === 'inAppearance') appearance!.text(xml);
      else if (frame.kind === 'matrix')
        state.geometry!.matrix = matrixOf(xml.text()) ?? state.geometry!.matrix!;
      else if (frame.kind === 'value' && state.role === 0) takeValue(xml, frame);
    },
    end(xml) {
      const frame = frames.pop()!;
      if (frame.kind === 'inAppearance') appearance!.end(xml);
      else if (frame.kind === 'appearance') appearance = undefined;
      else if (frame.kind === 'generic') genericName = undefined;
      endFrame(frame);
    },
    take: () => ({ parts, geometries, appearances }),
  };

  function takeValue(xml: XmlReader, { local, path, codeSpace }: Frame): void {
    const parent = frames.at(-2)!;
    const { attributes } = own();
    if (parent.kind !== 'generic') {
      // leaves of addresses are called like types
      const name = isUpper(local) ? joined(path, local) : path;
      return addAttribute(attributes, name, simpleValue(xml.text(), codeSpace, translate));
    }
    if (local === 'name') genericName = xml.text();
    else if (genericName !== undefined)
      addAttribute(attributes, joined(parent.path, genericName), genericValue(parent.local, xml.text()));
  }
}

/** Elements that add nothing to what is around them. */
const withoutName = new Set(['value', 'genericAttribute', 'xalAddress']);
const isUpper = (name: string): boolean => name.charCodeAt(0) <= 90;
const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function reliefLod({ attributes }: CityPart): number {
  const lod = Number(attributes.get('lod') ?? 0);
  return lod >= 0 && lod <= 4 ? lod * 10 : 0;
}

/** Whether the element is a geometry, or its envelope, rather than a name or description. */
const isGeometry = (xml: XmlReader): boolean =>
  isGmlNamespace(xml.namespace()) && /^[A-Z]/.test(xml.name.local) && xml.name.local !== 'Null';
