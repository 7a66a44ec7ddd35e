import { readAllEpsgEntries } from './epsg-entry.ts';

interface NamedHeights {
  readonly code: string;
  readonly name: string;
  readonly metresPerUnit: number;
  readonly isDepth: boolean;
}

let index: ReadonlyMap<string, readonly NamedHeights[]> | undefined;

/**
 * The code of a vertical CRS by its name, or that of its datum, in any spelling: `NAVD_1988` is `NAVD88 height`.
 * @param stated decides between heights and depths, and between units, that share a name
 */
export function findVerticalCode(
  name: string,
  stated: { readonly metresPerUnit?: number | undefined; readonly isDepth?: boolean | undefined } = {},
): string | undefined {
  index ??= buildIndex();
  const candidates = index.get(plainHeights(name)) ?? [];
  const { metresPerUnit, isDepth } = stated;
  const exact = candidates.find((it) => it.name === name && metresPerUnit === undefined);
  const alike = candidates.find(
    (it) =>
      it.isDepth === (isDepth ?? /depth/i.test(name)) &&
      Math.abs(it.metresPerUnit - (metresPerUnit ?? 1)) < 1e-7,
  );
  return (exact ?? alike ?? candidates[0])?.code;
}

function buildIndex(): ReadonlyMap<string, readonly NamedHeights[]> {
  const names = new Map<string, NamedHeights[]>();
  for (const { code, kind, name, wkt } of readAllEpsgEntries()) {
    if (kind !== 'CRS-VERTCRS' || !wkt) continue;
    const heights = {
      code,
      name,
      metresPerUnit: Number(/UNIT\["[^"]*",([\d.]+)/.exec(wkt)?.[1] ?? 1),
      isDepth: /AXIS\["[^"]*",DOWN/.test(wkt),
    };
    const datum = /VERT_DATUM\["([^"]+)"/.exec(wkt)?.[1] ?? name;
    for (const key of new Set([plainHeights(name), plainHeights(datum)])) {
      const known = names.get(key);
      if (known === undefined) names.set(key, [heights]);
      else known.push(heights);
    }
  }
  return names;
}

/** Spellings of ESRI and of file writers that differ from EPSG's. */
const synonyms: readonly (readonly [RegExp, string])[] = [
  [/\((?:m|ft|ftus)\)/g, ''],
  [/[^a-z0-9]+/g, ''],
  [/(?:us)?survey(?:feet|foot)|vertical$|heights?|depths?|geoid|ftus$/g, ''],
  [/northamericanverticaldatum(?:of)?/, 'navd'],
  [/nationalgeodeticverticaldatum(?:of)?/, 'ngvd'],
  [/normaalamsterdamspeil/, 'nap'],
  [/19(\d\d)$/, '$1'],
];

function plainHeights(name: string): string {
  let plain = name.toLowerCase();
  for (const [pattern, replacement] of synonyms) plain = plain.replace(pattern, replacement);
  return plain;
}
