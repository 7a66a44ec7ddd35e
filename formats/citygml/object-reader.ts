import { addAttribute } from '../city-object/attributes.ts';
import type { CityPart, NoticeVisitor } from '../city-object/city-object.ts';
import { roleNumberOf } from '../city-object/surface-roles.ts';
import { isGmlNamespace } from '../gml/gml-names.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import type { Appearances } from './appearance.ts';
import { createAppearanceReader, type AppearanceReader } from './appearance-reader.ts';
import type { AttributePath } from './attribute-path.ts';
import type { KnownElement } from './element-role.ts';
import { GeometryReader, maxIdLength } from './geometry-reader.ts';
import { genericValue, simpleValue, type Translate } from './object-attributes.ts';
import {
  createObjectGeometries,
  openGeometry,
  type ObjectGeometries,
  type OpenGeometry,
} from './object-geometry.ts';

/** What an open element is for the reader; those within a geometry are another's. */
type FrameKind = 'part' | 'surface' | 'generic' | 'value' | 'appearance' | 'inAppearance';

/** Used for one element after the other. */
interface Frame {
  kind: FrameKind;
  local: string;
  /** What was set before the element, and is set again behind it. */
  before: State;
  /** The name of an attribute below this element begins with it. */
  path: AttributePath;
  codeSpace: string | undefined;
  isLeaf: boolean;
}

interface State {
  readonly part: number;
  /** Of a boundary surface, within which the state is; undefined outside of any. */
  readonly role: number | undefined;
}

const outside: State = { part: -1, role: undefined };

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

const drawnGeometries =
  /^lod\d(?:(?:Multi|Composite)?(?:Solid|Surface|Geometry)|ImplicitRepresentation|FootPrint|RoofEdge)$/;
const skippedGeometries = /TerrainIntersection|Curve|MultiPoint|Network|^lod\dPoint|PointCloud/;

/** Follows the elements of city objects, one after the other. */
export class ObjectReader {
  readonly #options: ObjectReaderOptions;
  readonly #geometry: GeometryReader;
  readonly #frames: Frame[] = [];
  /** How many of them are open. */
  #depth = 0;
  #parts: CityPart[] = [];
  #geometries: ObjectGeometries;
  #appearances: Appearances = new Map();
  #state: State = outside;
  #appearance: AppearanceReader | undefined;
  #genericName: string | undefined;
  #hasSurfaceAttributes = false;

  constructor(options: ObjectReaderOptions) {
    const { onNotice, isSwapped } = options;
    this.#options = options;
    this.#geometry = new GeometryReader({ onNotice, isSwapped, idOfPart: (part) => this.#parts[part]!.id });
    this.#geometries = createObjectGeometries(isSwapped);
  }

  /** Elements need not be looked up. */
  get isInGeometry(): boolean {
    return this.#geometry.isOpen;
  }

  start(xml: XmlReader, element: KnownElement): void {
    if (this.#depth === 0) return this.#startPart(xml);
    const parent = this.#frames[this.#depth - 1]!;
    parent.isLeaf = false;
    const { role } = element;
    const { local } = xml.name;
    if (this.#appearance !== undefined) {
      this.#appearance.start(xml);
      return this.#push('inAppearance', local);
    }
    if (role === 'cityObject') return this.#startPart(xml);
    if (role === 'boundarySurface') {
      this.#push('surface', local);
      this.#state = { ...this.#state, role: roleNumberOf(local) };
    } else if (local === 'tin') this.#startGeometry(xml, reliefLod(this.#own()));
    else if (role === 'lod') {
      if (drawnGeometries.test(local)) return this.#startGeometry(xml, Number(element.lod) * 10);
      if (!skippedGeometries.test(local)) return this.#startProperty(xml, element, parent);
      this.#push('value', local);
      xml.skip();
    } else if (local === 'appearance' || local === 'appearanceMember') {
      this.#appearance = createAppearanceReader(this.#appearances, (what) =>
        this.#options.onNotice('unsupportedAppearance', this.#own().id, what),
      );
      this.#push('appearance', local);
    } else if (role === 'envelope' || (role === 'gml' && isGeometry(xml))) {
      this.#push('value', local);
      xml.skip();
    } else this.#startProperty(xml, element, parent);
  }

  startInGeometry(xml: XmlReader): void {
    this.#geometry.start(xml);
  }

  text(xml: XmlReader): void {
    if (this.#geometry.isOpen) return this.#geometry.text(xml);
    const frame = this.#frames[this.#depth - 1];
    if (frame === undefined || !frame.isLeaf) return;
    if (frame.kind === 'inAppearance') this.#appearance!.text(xml);
    else if (frame.kind !== 'value') return;
    else if (this.#state.role === undefined) this.#takeValue(xml, frame);
    else if (!this.#hasSurfaceAttributes && !isCommon.has(frame.local)) {
      this.#hasSurfaceAttributes = true;
      this.#options.onNotice('surfaceAttribute', this.#own().id, this.#genericName ?? frame.local);
    }
  }

  end(xml: XmlReader): void {
    if (this.#geometry.isOpen) return this.#geometry.end();
    const { kind, before } = this.#frames[--this.#depth]!;
    if (kind === 'inAppearance') this.#appearance!.end(xml);
    else if (kind === 'appearance') this.#appearance = undefined;
    else if (kind === 'generic') this.#genericName = undefined;
    this.#state = before;
  }

  /** The object, once its element has ended. The next may begin. */
  take(): ReadObject {
    const object = {
      parts: this.#parts,
      geometries: this.#geometries,
      appearances: this.#appearances,
    };
    this.#parts = [];
    this.#geometries = createObjectGeometries(this.#options.isSwapped);
    this.#appearances = new Map();
    this.#hasSurfaceAttributes = false;
    return object;
  }

  #push(kind: FrameKind, local: string, path = this.#options.paths, codeSpace?: string): void {
    const frames = this.#frames;
    const before = this.#state;
    const depth = this.#depth++;
    if (depth === frames.length)
      return void frames.push({ kind, local, before, path, codeSpace, isLeaf: true });
    const frame = frames[depth]!;
    frame.kind = kind;
    frame.local = local;
    frame.before = before;
    frame.path = path;
    frame.codeSpace = codeSpace;
    frame.isLeaf = true;
  }

  #own(): CityPart {
    return this.#parts[this.#state.part]!;
  }

  #startPart(xml: XmlReader): void {
    const id = xml.attribute('id')?.slice(0, maxIdLength) ?? '';
    this.#push('part', xml.name.local);
    const parts = this.#parts;
    const { part: parent } = this.#state;
    parts.push({ id, class: xml.name.local.slice(0, 200), parent, attributes: new Map() });
    this.#state = { part: parts.length - 1, role: undefined };
  }

  #startGeometry(xml: XmlReader, lod: number): void {
    const geometry = this.#geometryFor(lod, xml.name.local);
    this.#geometry.begin(xml, this.#geometries, geometry, this.#state.role ?? 0);
  }

  /** The surfaces of a part in one level of detail belong together, however many elements they are in. */
  #geometryFor(lod: number, local: string): OpenGeometry {
    const { part, role } = this.#state;
    const { geometries } = this.#geometries;
    const isSurface = role !== undefined && local.endsWith('MultiSurface');
    const last = geometries.at(-1);
    if (isSurface && last?.isThematic === true && last.part === part && last.lod === lod) return last;
    const opened = openGeometry({ part, lod, isSolid: local.includes('Solid'), isThematic: isSurface });
    geometries.push(opened);
    return opened;
  }

  #startProperty(xml: XmlReader, element: KnownElement, parent: Frame): void {
    const { local } = xml.name;
    const { path } = parent;
    if (element.role === 'genericAttribute') {
      this.#genericName = xml.attribute('name');
      return this.#push('generic', local, path);
    }
    if (parent.kind === 'generic' && (local === 'value' || local === 'name'))
      return this.#push('value', local);
    if (local === 'genericAttributeSet')
      return this.#push('value', local, path.below(xml.attribute('name') ?? ''));
    const isStructure = isUpper(local) || withoutName.has(local);
    this.#push('value', local, isStructure ? path : path.below(local), xml.attribute('codeSpace'));
  }

  #takeValue(xml: XmlReader, { local, path, codeSpace }: Frame): void {
    const parent = this.#frames[this.#depth - 2]!;
    const { attributes } = this.#own();
    if (parent.kind !== 'generic') {
      // leaves of addresses are called like types
      const { text: name } = isUpper(local) ? path.below(local) : path;
      return addAttribute(
        attributes,
        name,
        simpleValue(local, xml.text(), codeSpace, this.#options.translate),
      );
    }
    if (local === 'name') this.#genericName = xml.text();
    else if (this.#genericName !== undefined) {
      const { text: name } = parent.path.below(this.#genericName);
      addAttribute(attributes, name, genericValue(parent.local, xml.text()));
    }
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
