import {
  asArray,
  asNumber,
  asNumbers,
  asObject,
  asObjects,
  asText,
  asTexts,
  type JsonObject,
} from '../json/read-values.ts';

/** A tileset.json of 3D Tiles 1.0 (OGC 18-053r2) or 1.1 (OGC 22-025r4), and of the drafts before them. */
export interface Tileset {
  readonly version: string | undefined;
  readonly tilesetVersion: string | undefined;
  /** `Y` or `Z` where the draft 0.0 says it; of b3dm. */
  readonly gltfUpAxis: string | undefined;
  readonly geometricError: number | undefined;
  readonly extensionsUsed: readonly string[];
  readonly extensionsRequired: readonly string[];
  readonly root: JsonObject | undefined;
  /** Classes of metadata, and properties of each. */
  readonly classes: ReadonlyMap<string, readonly string[]>;
  /** Ranges of attributes (3D Tiles 1.0). */
  readonly properties: JsonObject;
  readonly hasGroups: boolean;
}

/** @param value any parsed JSON. @returns undefined if it is not a tileset */
export function readTileset(value: unknown): Tileset | undefined {
  const top = asObject(value);
  const asset = asObject(top?.['asset']);
  const root = asObject(top?.['root']);
  if (top === undefined || asset === undefined || (root === undefined && !('geometricError' in top)))
    return undefined;
  const classes = asObject(asObject(top['schema'])?.['classes']) ?? {};
  return {
    version: asText(asset['version'])?.slice(0, 20),
    tilesetVersion: asText(asset['tilesetVersion'])?.slice(0, 100),
    gltfUpAxis: asText(asset['gltfUpAxis']),
    geometricError: asNumber(top['geometricError']),
    extensionsUsed: asTexts(top['extensionsUsed']),
    extensionsRequired: asTexts(top['extensionsRequired']),
    root,
    classes: new Map(
      Object.entries(classes)
        .slice(0, 50)
        .map(([name, one]) => [
          name,
          Object.keys(asObject(asObject(one)?.['properties']) ?? {}).slice(0, 200),
        ]),
    ),
    properties: asObject(top['properties']) ?? {},
    hasGroups: (asArray(top['groups'])?.length ?? 0) > 0,
  };
}

/** URIs of the contents of a tile; `url` is the name from the draft. */
export function contentsOf(tile: JsonObject): string[] {
  const several = asObjects(tile['contents']);
  const extension = asObjects(
    asObject(asObject(tile['extensions'])?.['3DTILES_multiple_contents'])?.['contents'] ??
      asObject(asObject(tile['extensions'])?.['3DTILES_multiple_contents'])?.['content'],
  );
  return [asObject(tile['content']), ...several, ...extension].flatMap(
    (content) => asText(content?.['uri']) ?? asText(content?.['url']) ?? [],
  );
}

/** Implicit subdivision of a tile, by 3D Tiles 1.1 or the extension of 1.0. */
export interface ImplicitTiling {
  readonly subdivisionScheme: string;
  readonly subtreeLevels: number | undefined;
  readonly availableLevels: number | undefined;
  /** URI template with {level}, {x}, {y} and {z}. */
  readonly subtrees: string | undefined;
}

export function implicitTilingOf(tile: JsonObject): ImplicitTiling | undefined {
  const implicit =
    asObject(tile['implicitTiling']) ?? asObject(asObject(tile['extensions'])?.['3DTILES_implicit_tiling']);
  if (implicit === undefined) return undefined;
  return {
    subdivisionScheme: (asText(implicit['subdivisionScheme']) ?? 'unknown').slice(0, 20),
    subtreeLevels: asNumber(implicit['subtreeLevels']),
    availableLevels: asNumber(implicit['availableLevels']) ?? levelsTo(asNumber(implicit['maximumLevel'])),
    subtrees: asText(asObject(implicit['subtrees'])?.['uri']),
  };
}

/** Drafts name the last level, which counts from 0. */
const levelsTo = (last: number | undefined): number | undefined =>
  last === undefined ? undefined : last + 1;

export function transformOf(tile: JsonObject): readonly number[] | undefined {
  return asNumbers(tile['transform'], 16);
}
