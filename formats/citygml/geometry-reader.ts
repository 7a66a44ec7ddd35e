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

/** Follows the elements within geometries, which are most of a file. */
export class GeometryReader {
  /** Between the start and the end of the property. */
  isOpen = false;
  readonly #options: GeometryReaderOptions;
  readonly #cursor: NumberCursor = { bytes: Buffer.alloc(0), at: 0, end: 0 };
  readonly #point: number[] = [];
  // of each open element, the property first
  readonly #kinds: number[] = [];
  readonly #ids: (string | undefined)[] = [];
  readonly #firstSurfaces: number[] = [];
  readonly #flips: boolean[] = [];
  #object!: ObjectGeometries;
  #geometry!: OpenGeometry;
  #role = 0;
  #isFlipped = false;
  #isInPoint = false;
  /** Of the TexturedSurface around what is read. */
  #own: SurfaceAppearance | undefined;
  /** Nothing was inside of the innermost element so far. */
  #isLeaf = true;

  constructor(options: GeometryReaderOptions) {
    this.#options = options;
  }

  /**
   * Begins with the property that has the geometry.
   * @param object gets the names of what is read @param role of its surfaces
   */
  begin(xml: XmlReader, object: ObjectGeometries, geometry: OpenGeometry, role: number): void {
    this.#object = object;
    this.#geometry = geometry;
    this.#role = role;
    this.#isFlipped = false;
    this.isOpen = true;
    this.#push(other, undefined);
    this.#refer(xml);
  }

  start(xml: XmlReader): void {
    const kind = this.#own === undefined ? (kindOf.get(xml.name.local) ?? other) : other;
    const isNamed = kind < positions || kind > referencePoint;
    this.#push(kind, isNamed ? xml.attribute('id')?.slice(0, maxIdLength) : undefined);
    if (kind === other) this.#refer(xml);
    else if (kind === referencePoint) {
      this.#point.length = 0;
      this.#isInPoint = true;
    } else if (kind === implicit) this.#geometry.matrix ??= [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    else if (kind === library) this.#options.onNotice('libraryObject', this.#partId(), xml.name.local);
    else if (kind === orientable)
      this.#isFlipped = this.#isFlipped !== (xml.attribute('orientation') === '-');
    else if (kind === curve) xml.skip();
    else if (kind === appearance) this.#own = createSurfaceAppearance();
  }

  text(xml: XmlReader): void {
    if (!this.#isLeaf) return;
    if (this.#own !== undefined) return readSurfaceAppearance(this.#own, xml);
    const kind = this.#kinds[this.#kinds.length - 1];
    if (kind === positions) this.#readPositions(xml);
    else if (kind === matrix) this.#geometry.matrix = matrixOf(xml.text()) ?? this.#geometry.matrix!;
  }

  end(): void {
    const kind = this.#kinds.pop()!;
    const id = this.#ids.pop();
    const start = this.#firstSurfaces.pop()!;
    const geometry = this.#geometry;
    const { surfaces } = geometry;
    const isFlipped = this.#isFlipped;
    if (kind === ring) {
      endRing3d(surfaces);
      if (id !== undefined)
        this.#object.rings.set(id, { geometry, ring: surfaces.ringEnds.length - 1, isFlipped });
    } else if (kind === polygon) {
      endRing3d(surfaces);
      endSurface3d(surfaces, this.#role);
      if (isFlipped) flipLastSurface(surfaces);
    } else if (kind === referencePoint) {
      const [x = 0, y = 0, z = 0] = this.#point;
      geometry.anchor = this.#options.isSwapped() ? [y, x, z] : [x, y, z];
      this.#isInPoint = false;
    } else if (kind === appearance) this.#endAppearance();
    if (id !== undefined && kind !== ring && surfaces.surfaceEnds.length > start)
      this.#object.named.set(id, { geometry, start, end: surfaces.surfaceEnds.length });
    this.#isFlipped = this.#flips.pop()!;
    this.#isLeaf = false;
    if (this.#kinds.length === 0) this.isOpen = false;
  }

  #push(kind: number, id: string | undefined): void {
    this.#kinds.push(kind);
    this.#ids.push(id);
    this.#firstSurfaces.push(this.#geometry.surfaces.surfaceEnds.length);
    this.#flips.push(this.#isFlipped);
    this.#isLeaf = true;
  }

  #refer(xml: XmlReader): void {
    const href = xml.attribute('href');
    if (href === undefined) return;
    const reference = { geometry: this.#geometry, id: idOfReference(href), isFlipped: this.#isFlipped };
    this.#object.references.push(reference);
  }

  #partId(): string {
    return this.#options.idOfPart(this.#geometry.part);
  }

  #readPositions(xml: XmlReader): void {
    const { surfaces } = this.#geometry;
    const kinds = this.#kinds;
    const isInPoint = this.#isInPoint;
    const inRing = kinds[kinds.length - 2] === ring || kinds[kinds.length - 3] === ring;
    if (!isInPoint && !inRing) return;
    const swaps = this.#options.isSwapped() && (isInPoint || this.#geometry.matrix === undefined);
    const cursor = this.#cursor;
    cursor.bytes = xml.bytes;
    cursor.at = xml.textStart;
    cursor.end = xml.textEnd;
    let x = 0;
    let y = 0;
    let axis = 0;
    for (;;) {
      skipSeparators(cursor);
      if (cursor.at >= cursor.end) return;
      const value = readNumber(cursor);
      // true of NaN and of both infinities
      if (value - value !== 0) return this.#options.onNotice('badPositions', this.#partId(), '');
      if (isInPoint) this.#point.push(value);
      else if (axis === 0) x = value;
      else if (axis === 1) y = value;
      else if (swaps) pushPosition3d(surfaces, y, x, value);
      else pushPosition3d(surfaces, x, y, value);
      axis = axis === 2 ? 0 : axis + 1;
    }
  }

  #endAppearance(): void {
    const { surfaces } = this.#geometry;
    const of = { set: surfaces, first: this.#firstSurfaces.at(-1)!, isFlipped: this.#isFlipped };
    const isShown = applySurfaceAppearance(this.#own!, of, this.#object.looks);
    if (!isShown) this.#options.onNotice('unsupportedAppearance', this.#partId(), 'TexturedSurface');
    this.#own = undefined;
  }
}
