import type { Look } from '../city-object/city-object.ts';
import { readNumber, skipSpaces, type NumberCursor } from '../xml/read-numbers.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import { addTarget, type Appearances, type Projection } from './appearance.ts';
import { projectionOfImage } from './image-place.ts';

/** Follows the elements of an appearance. */
export interface AppearanceReader {
  start(xml: XmlReader): void;
  text(xml: XmlReader): void;
  end(xml: XmlReader): void;
}

interface SurfaceData {
  readonly kind: 'texture' | 'material' | 'georeferenced';
  image: string;
  repeats: boolean;
  colour: [number, number, number];
  transparency: number;
  /** Where the first pixel of a georeferenced image is, and the edges of its pixels. */
  corner: readonly number[];
  edges: readonly number[];
  readonly targets: Target[];
}

interface Target {
  readonly id: string;
  readonly rings: Map<string, Float32Array>;
  projection: Projection | undefined;
}

const maxIdLength = 1000;

/** The id that `#id` or `other.gml#id` refers to. */
export function idOfReference(reference: string): string {
  return reference
    .slice(reference.indexOf('#') + 1)
    .trim()
    .slice(0, maxIdLength);
}

/** Reads `Appearance` elements of CityGML 1.0 to 3.0 (OGC 12-019, clause 9; OGC 20-010, clause 7.2). */
export function createAppearanceReader(
  appearances: Appearances,
  onUnsupported: (what: string) => void,
): AppearanceReader {
  let theme = '';
  let data: SurfaceData | undefined;
  let waiting: SurfaceData[] = [];
  let ring = '';
  let withoutRing: Float32Array[] = [];
  const open: string[] = [];
  const begin = (kind: SurfaceData['kind']): void => {
    data = {
      kind,
      image: '',
      repeats: false,
      colour: [0.8, 0.8, 0.8],
      transparency: 0,
      corner: [],
      edges: [],
      targets: [],
    };
  };
  const addNamed = (id: string): void => {
    data?.targets.push({ id, rings: new Map(), projection: undefined });
  };
  const finish = (): void => {
    if (data !== undefined) waiting.push(data);
    data = undefined;
  };
  /** The theme may follow the data. */
  const settle = (): void => {
    for (const one of waiting) settleData(appearances, theme, one, onUnsupported);
    waiting = [];
    theme = '';
  };
  return {
    start(xml) {
      const { local } = xml.name;
      open.push(local);
      if (local === 'ParameterizedTexture') begin('texture');
      else if (local === 'X3DMaterial') begin('material');
      else if (local === 'GeoreferencedTexture') begin('georeferenced');
      else if (local === 'target') {
        const reference = xml.attribute('uri') ?? xml.attribute('href');
        if (reference !== undefined) addNamed(idOfReference(reference));
      } else if (local === 'textureCoordinates') ring = idOfReference(xml.attribute('ring') ?? '');
      else if (local === 'TexCoordList') withoutRing = [];
      else if (local === 'Appearance') theme = '';
    },
    text(xml) {
      const local = open.at(-1);
      if (local === 'theme') theme = xml.text().slice(0, 200);
      if (data === undefined) return;
      if (local === 'imageURI') data.image = xml.text().slice(0, maxIdLength);
      else if (local === 'wrapMode') data.repeats = /^(?:wrap|mirror)$/i.test(xml.text());
      else if (local === 'diffuseColor') data.colour = colourOf(xml.text()) ?? data.colour;
      else if (local === 'transparency') data.transparency = Number(xml.text()) || 0;
      else if (local === 'target') {
        addNamed(idOfReference(xml.text()));
      } else if (local === 'ring') {
        // CityGML 3.0 lists the rings behind the coordinates
        const uvs = withoutRing.shift();
        if (uvs !== undefined) data.targets.at(-1)?.rings.set(idOfReference(xml.text()), uvs);
      } else if (local === 'textureCoordinates') {
        const uvs = Float32Array.from(numbersOf(xml));
        if (ring === '') withoutRing.push(uvs);
        else data.targets.at(-1)?.rings.set(ring, uvs);
      } else if (local === 'worldToTexture') {
        const numbers = numbersOf(xml);
        const target = data.targets.at(-1);
        if (numbers.length === 12 && target !== undefined) target.projection = numbers;
        else onUnsupported('TexCoordGen');
      } else if (local === 'orientation') data.edges = numbersOf(xml);
      else if (local === 'pos' || local === 'coordinates') data.corner = numbersOf(xml);
    },
    end(xml) {
      const { local } = xml.name;
      open.pop();
      if (local === 'ParameterizedTexture' || local === 'X3DMaterial' || local === 'GeoreferencedTexture')
        finish();
      else if (local === 'Appearance') settle();
    },
  };
}

function settleData(
  appearances: Appearances,
  theme: string,
  { kind, image, repeats, colour, transparency, corner, edges, targets }: SurfaceData,
  onUnsupported: (what: string) => void,
): void {
  if (kind === 'material') {
    const look = { colour: withAlpha(colour, transparency) };
    for (const { id } of targets) addTarget(appearances, theme, id, { look });
  } else if (kind === 'georeferenced') {
    const projection = projectionOfImage(corner, edges);
    if (projection === undefined) return onUnsupported('GeoreferencedTexture');
    const look: Look = { image, inPixels: true };
    for (const { id } of targets) addTarget(appearances, theme, id, { look, projection });
  } else {
    const look: Look = { image, repeats };
    for (const { id, rings, projection } of targets)
      if (projection !== undefined) addTarget(appearances, theme, id, { look, projection });
      else if (rings.size > 0) addTarget(appearances, theme, id, { look, rings });
  }
}

export function withAlpha(
  [red, green, blue]: readonly [number, number, number],
  transparency: number,
): readonly [number, number, number, number] {
  return [red, green, blue, 1 - Math.min(1, Math.max(0, transparency))];
}

export function colourOf(text: string): [number, number, number] | undefined {
  const [r, g, b] = text.split(/\s+/).map(Number);
  return [r, g, b].every((value) => Number.isFinite(value)) ? [r!, g!, b!] : undefined;
}

export function numbersOf(xml: XmlReader): number[] {
  const cursor: NumberCursor = { bytes: xml.bytes, at: xml.textStart, end: xml.textEnd };
  const numbers: number[] = [];
  for (;;) {
    skipSpaces(cursor);
    const value = cursor.at < cursor.end ? readNumber(cursor) : NaN;
    if (Number.isNaN(value)) return numbers;
    numbers.push(value);
  }
}
