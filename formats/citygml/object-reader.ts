import { addAttribute } from '../city-object/attributes.ts';
import type { CityPart, NoticeVisitor } from '../city-object/city-object.ts';
import { roleNumberOf } from '../city-object/surface-roles.ts';
import { isGmlNamespace } from '../gml/gml-names.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import type { Appearances } from './appearance.ts';
import { createAppearanceReader, type AppearanceReader } from './appearance-reader.ts';
import type { AttributePath } from './attribute-path.ts';
import type { KnownElement } from './element-role.ts';
import { createGeometryReader, maxIdLength } from './geometry-reader.ts';
import { genericValue, simpleValue, type Translate } from './object-attributes.ts';
import {
  createObjectGeometries,
  openGeometry,
  type ObjectGeometries,
  type OpenGeometry,
} from './object-geometry.ts';

/** What an open element is for the reader; those within a geometry are another's. */
type FrameKind = 'part' | 'surface' | 'generic' | 'value' | 'appearance' | 'inAppearance';

interface Frame {
  readonly kind: FrameKind;
  readonly local: string;
  /** What was set before the element, and is set again behind it. */
  readonly before: State;
  /** The name of an attribute below this element begins with it. */
  readonly path: AttributePath;
  codeSpace: string | undefined;
  isLeaf: boolean;
}

interface State {
  readonly part: number;
  /** Of a boundary surface, within which the state is; undefined outside of any. */
  readonly role: number | undefined;
}

/** An object that has been read, before its references and appearances are resolved. */
export interface ReadObject {
  readonly parts: CityPart[];
  readonly geometries: ObjectGeometries;
  readonly appearances: Appearances;
}

export interface ObjectReaderOptions {
  /** The root of the names of attributes, which all objects share. */
  readonly paths: AttributePath;
  readonly translate: Translate | undefined;
  readonly onNotice: NoticeVisitor;
  /** Northing or latitude comes first in the file. */
  readonly isSwapped: () => boolean;
}

/** Follows the elements of one city object. */
export interface ObjectReader {
  /** Elements need not be looked up. */
  readonly isInGeometry: boolean;
  start(xml: XmlReader, element: KnownElement): void;
  startInGeometry(xml: XmlReader): void;
  text(xml: XmlReader): void;
  end(xml: XmlReader): void;
  /** The object, once its element has ended. */
  take(): ReadObject;
}

const drawnGeometries =
  /^lod\d(?:(?:Multi|Composite)?(?:Solid|Surface|Geometry)|ImplicitRepresentation|FootPrint|RoofEdge)$/;
const skippedGeometries = /TerrainIntersection|Curve|MultiPoint|Network|^lod\dPoint|PointCloud/;
export function createObjectReader({
  paths,
  translate,
  onNotice,
  isSwapped,
}: ObjectReaderOptions): ObjectReader {
  const parts: CityPart[] = [];
  const geometries = createObjectGeometries(isSwapped);
  const appearances: Appearances = new Map();
  const frames: Frame[] = [];
  const idOfPart = (part: number): string => parts[part]!.id;
  const geometry = createGeometryReader(geometries, { onNotice, isSwapped, idOfPart });
  let state: State = { part: -1, role: undefined };
  let appearance: AppearanceReader | undefined;
  let genericName: string | undefined;
  let hasSurfaceAttributes = false;

  const push = (kind: FrameKind, local: string, path = paths): void => {
    frames.push({ kind, local, before: state, path, codeSpace: undefined, isLeaf: true });
  };
  const own = (): CityPart => parts[state.part]!;

  const startPart = (xml: XmlReader): void => {
    const id = xml.attribute('id')?.slice(0, maxIdLength) ?? '';
    push('part', xml.name.local);
    parts.push({ id, class: xml.name.local.slice(0, 200), parent: state.part, attributes: new Map() });
    state = { part: parts.length - 1, role: undefined };
  };
  /** The surfaces of a part in one level of detail belong together, however many elements they are in. */
  const geometryFor = (lod: number, local: string): OpenGeometry => {
    const { part, role } = state;
    const isSurface = role !== undefined && local.endsWith('MultiSurface');
    const last = geometries.geometries.at(-1);
    if (isSurface && last?.isThematic === true && last.part === part && last.lod === lod) return last;
    const opened = openGeometry({ part, lod, isSolid: local.includes('Solid'), isThematic: isSurface });
    geometries.geometries.push(opened);
    return opened;
  };
  const startGeometry = (xml: XmlReader, lod: number): void =>
    geometry.begin(xml, geometryFor(lod, xml.name.local), state.role ?? 0);
  const startProperty = (xml: XmlReader, element: KnownElement, parent: Frame): void => {
    const { local } = xml.name;
    const { path } = parent;
    if (element.role === 'genericAttribute') {
      genericName = xml.attribute('name');
      return push('generic', local, path);
    }
    if (parent.kind === 'generic' && (local === 'value' || local === 'name')) return push('value', local);
    if (local === 'genericAttributeSet') return push('value', local, path.below(xml.attribute('name') ?? ''));
    const isStructure = isUpper(local) || withoutName.has(local);
    push('value', local, isStructure ? path : path.below(local));
    frames.at(-1)!.codeSpace = xml.attribute('codeSpace');
  };

  return {
    get isInGeometry() {
      return geometry.isOpen;
    },
    start(xml, element) {
      const parent = frames.at(-1);
      if (parent === undefined) return startPart(xml);
      parent.isLeaf = false;
      const { role } = element;
      const { local } = xml.name;
      if (appearance !== undefined) {
        appearance.start(xml);
        return push('inAppearance', local);
      }
      if (role === 'cityObject') return startPart(xml);
      if (role === 'boundarySurface') {
        push('surface', local);
        state = { ...state, role: roleNumberOf(local) };
      } else if (local === 'tin') startGeometry(xml, reliefLod(own()));
      else if (role === 'lod') {
        if (drawnGeometries.test(local)) return startGeometry(xml, Number(element.lod) * 10);
        if (!skippedGeometries.test(local)) return startProperty(xml, element, parent);
        push('value', local);
        xml.skip();
      } else if (local === 'appearance' || local === 'appearanceMember') {
        appearance = createAppearanceReader(appearances, (what) =>
          onNotice('unsupportedAppearance', own().id, what),
        );
        push('appearance', local);
      } else if (role === 'envelope' || (role === 'gml' && isGeometry(xml))) {
        push('value', local);
        xml.skip();
      } else startProperty(xml, element, parent);
    },
    startInGeometry: (xml) => geometry.start(xml),
    text(xml) {
      if (geometry.isOpen) return geometry.text(xml);
      const frame = frames.at(-1);
      if (frame === undefined || !frame.isLeaf) return;
      if (frame.kind === 'inAppearance') appearance!.text(xml);
      else if (frame.kind !== 'value') return;
      else if (state.role === undefined) takeValue(xml, frame);
      else if (!hasSurfaceAttributes && !isCommon.has(frame.local)) {
        hasSurfaceAttributes = true;
        onNotice('surfaceAttribute', own().id, genericName ?? frame.local);
      }
    },
    end(xml) {
      if (geometry.isOpen) return geometry.end();
      const { kind, before } = frames.pop()!;
      if (kind === 'inAppearance') appearance!.end(xml);
      else if (kind === 'appearance') appearance = undefined;
      else if (kind === 'generic') genericName = undefined;
      state = before;
    },
    take: () => ({ parts, geometries, appearances }),
  };

  function takeValue(xml: XmlReader, { local, path, codeSpace }: Frame): void {
    const parent = frames.at(-2)!;
    const { attributes } = own();
    if (parent.kind !== 'generic') {
      // leaves of addresses are called like types
      const { text: name } = isUpper(local) ? path.below(local) : path;
      return addAttribute(attributes, name, simpleValue(local, xml.text(), codeSpace, translate));
    }
    if (local === 'name') genericName = xml.text();
    else if (genericName !== undefined)
      addAttribute(attributes, parent.path.below(genericName).text, genericValue(parent.local, xml.text()));
  }
}

/** Elements that add nothing to what is around them. */
const withoutName = new Set(['value', 'genericAttribute', 'xalAddress']);
/** What programs write into every feature. */
const isCommon = new Set(['name', 'description', 'creationDate', 'terminationDate', 'validFrom', 'validTo']);
const isUpper = (name: string): boolean => name.charCodeAt(0) <= 90;

function reliefLod({ attributes }: CityPart): number {
  const lod = Number(attributes.get('lod') ?? 0);
  return lod >= 0 && lod <= 4 ? lod * 10 : 0;
}

/** Whether the element is a geometry, or its envelope, rather than a name or description. */
const isGeometry = (xml: XmlReader): boolean =>
  isGmlNamespace(xml.namespace()) && /^[A-Z]/.test(xml.name.local) && xml.name.local !== 'Null';
