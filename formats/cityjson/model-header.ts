import type { Look } from '../city-object/city-object.ts';
import {
  asArray,
  asNumber,
  asNumbers,
  asObject,
  asObjects,
  asText,
  type JsonObject,
} from '../json/read-values.ts';

/** What all city objects of a CityJSON file, or of one line of a CityJSONSeq, share. */
export interface ModelHeader {
  readonly scale: readonly number[];
  readonly translate: readonly number[];
  readonly materials: readonly Look[];
  readonly textures: readonly Look[];
  /** u, v of each. */
  readonly textureVertices: Float64Array;
  readonly templates: readonly (JsonObject | undefined)[];
  /** x, y, z of each, in metres. */
  readonly templateVertices: Float64Array;
}

export const emptyHeader: ModelHeader = {
  scale: [1, 1, 1],
  translate: [0, 0, 0],
  materials: [],
  textures: [],
  textureVertices: new Float64Array(0),
  templates: [],
  templateVertices: new Float64Array(0),
};

/** Reads the members `transform`, `appearance` and `geometry-templates`; what is missing is taken from `base`. */
export function readModelHeader(root: JsonObject, base: ModelHeader = emptyHeader): ModelHeader {
  const transform = asObject(root['transform']);
  const appearance = asObject(root['appearance']);
  const templates = asObject(root['geometry-templates']);
  return {
    scale: asNumbers(transform?.['scale'], 3) ?? base.scale,
    translate: asNumbers(transform?.['translate'], 3) ?? base.translate,
    ...(appearance === undefined
      ? { materials: base.materials, textures: base.textures, textureVertices: base.textureVertices }
      : {
          materials: asObjects(appearance['materials']).map(materialOf),
          textures: asObjects(appearance['textures']).map(textureOf),
          textureVertices: flat(appearance['vertices-texture'], 2),
        }),
    ...(templates === undefined
      ? { templates: base.templates, templateVertices: base.templateVertices }
      : {
          templates: asObjects(templates['templates']),
          templateVertices: flat(templates['vertices-templates'], 3),
        }),
  };
}

function materialOf(material: JsonObject | undefined): Look {
  const [r, g, b] = asNumbers(material?.['diffuseColor'], 3) ?? [0.8, 0.8, 0.8];
  const alpha = 1 - Math.min(1, Math.max(0, asNumber(material?.['transparency']) ?? 0));
  return { colour: [r!, g!, b!, alpha] };
}

function textureOf(texture: JsonObject | undefined): Look {
  const wrap = asText(texture?.['wrapMode']);
  return { image: asText(texture?.['image']) ?? '', repeats: wrap === 'wrap' || wrap === 'mirror' };
}

function flat(value: unknown, dimension: number): Float64Array {
  const rows = asArray(value) ?? [];
  const numbers = new Float64Array(rows.length * dimension);
  for (const [i, row] of rows.entries()) {
    const given = asArray(row);
    for (let axis = 0; axis < dimension; axis++)
      numbers[i * dimension + axis] = asNumber(given?.[axis]) ?? NaN;
  }
  return numbers;
}
