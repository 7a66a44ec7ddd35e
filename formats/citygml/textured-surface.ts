import type { Look } from '../city-object/city-object.ts';
import { setRingUvs, startOf, type SurfaceSet } from '../city-object/surface-set.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import { turnedUvs } from './image-place.ts';
import { colourOf, numbersOf, withAlpha } from './appearance-reader.ts';

/** The appearance within a TexturedSurface, which CityGML 1.0 (OGC 08-007r1, 10.8) keeps from the drafts before it. */
export interface SurfaceAppearance {
  image: string;
  uvs: readonly number[];
  repeats: boolean;
  colour: readonly [red: number, green: number, blue: number] | undefined;
  transparency: number;
}

export const createSurfaceAppearance = (): SurfaceAppearance => ({
  image: '',
  uvs: [],
  repeats: false,
  colour: undefined,
  transparency: 0,
});

/** Takes the text of an element. */
export function readSurfaceAppearance(appearance: SurfaceAppearance, xml: XmlReader): void {
  const { local } = xml.name;
  if (local === 'textureMap') appearance.image = xml.text().slice(0, 1000);
  else if (local === 'textureCoordinates') appearance.uvs = numbersOf(xml);
  else if (local === 'repeat') appearance.repeats = /^(?:1|true)$/.test(xml.text());
  else if (local === 'diffuseColor') appearance.colour = colourOf(xml.text());
  else if (local === 'transparency') appearance.transparency = Number(xml.text()) || 0;
}

interface Surfaces {
  readonly set: SurfaceSet;
  /** The number of the first; all behind it belong to it. */
  readonly first: number;
  /** Their positions have been turned around. */
  readonly isFlipped: boolean;
}

/** Gives surfaces a look, if there is one. @returns whether there is */
export function applySurfaceAppearance(
  { image, uvs, repeats, colour, transparency }: SurfaceAppearance,
  { set, first, isFlipped }: Surfaces,
  looks: Look[],
): boolean {
  const { surfaceEnds, ringEnds } = set;
  const hasImage = image !== '' && uvs.length > 0;
  if ((!hasImage && colour === undefined) || first === surfaceEnds.length) return false;
  // an image counts more than a colour
  if (!hasImage && set.looks[first] !== -1) return true;
  set.looks.fill(looks.length, first);
  looks.push(hasImage ? { image, repeats } : { colour: withAlpha(colour!, transparency) });
  if (!hasImage) return true;
  let at = 0;
  for (let ring = startOf(surfaceEnds, first); ring < ringEnds.length; ring++) {
    const count = 2 * (ringEnds[ring]! - startOf(ringEnds, ring));
    const own = uvs.slice(at, at + count);
    setRingUvs(set, ring, isFlipped ? turnedUvs(own) : own);
    at += count;
  }
  return true;
}
