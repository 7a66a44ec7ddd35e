import type { InspectedLayer, InspectionFacts, InspectionIssue, InspectionReport } from './inspect.ts';

// Imports no schema, so that the web interface can use it.

/** Reduces an inspection report to facts that a list can phrase in any language. */
export function factsOf({ kind, layers, issues, ...report }: InspectionReport): InspectionFacts {
  const { formatVersion } = report;
  const levelsOfDetail = [...new Set(layers.flatMap(({ details }) => listOf(details?.['levelsOfDetail'])))];
  const crs = layers.flatMap((layer) => layer.crs ?? [])[0];
  const { width, height, sheets } = layers[0]?.details ?? {};
  const problems = problemsOf(issues);
  const missing = missingOf(
    layers,
    issues.map(({ code }) => code),
  );
  return {
    ...(formatVersion !== undefined && { formatVersion }),
    layers: layers.length,
    ...amountOf(layers),
    ...(kind === 'vector' && shapeOf(layers)),
    ...(levelsOfDetail.length > 0 && { levelsOfDetail: levelsOfDetail.toSorted().slice(0, 6) }),
    ...(typeof width === 'number' && typeof height === 'number' && { width, height }),
    ...(typeof sheets === 'number' && { sheets }),
    ...(crs && { crs: crs.code ?? crs.name }),
    ...(problems.length > 0 && { problems: problems.length }),
    ...(missing && { missing }),
    ...(isDamaged(issues) && { isDamaged: true }),
  };
}

const damageCodes = new Set([
  'brokenFile',
  'brokenGzip',
  'brokenJson',
  'brokenXml',
  'brokenZip',
  'damagedFile',
  'truncatedFile',
]);

/** Whether the file has to be exported or uploaded again. */
export const isDamaged = (issues: readonly Pick<InspectionIssue, 'code'>[]): boolean =>
  damageOf(issues) !== undefined;

/** The first issue that says what is damaged, and where. */
export const damageOf = <T extends Pick<InspectionIssue, 'code'>>(issues: readonly T[]): T | undefined =>
  issues.find(({ code }) => damageCodes.has(code));

/** What limits some uses of sound data, or the report. */
const hintCodes = new Set([
  'manyFields',
  'manyLayers',
  'manyNodes',
  'manyTiles',
  'notCloudOptimized',
  'notLookedInto',
  'notShownByViewer',
  'opaqueBorder',
  'parentTerrain',
  'photo',
  'severalFiles',
  'unpackFirst',
]);

/** The issues that are problems of the data. */
export const problemsOf = <T extends Pick<InspectionIssue, 'code'>>(issues: readonly T[]): T[] =>
  issues.filter(({ code }) => !hintCodes.has(code));

type Missing = NonNullable<InspectionFacts['missing']>;

/** Issues that require a decision by the user, most urgent first. */
const decisions: readonly (readonly [Missing, readonly string[]])[] = [
  ['format', ['notRecognised']],
  ['files', ['missingFiles']],
  ['crs', ['missingCrs', 'noCrs', 'unknownCrs', 'outsideCrsArea', 'projectedCoordinates']],
  ['place', ['noGeoreference', 'controlPoints', 'noPlace']],
];

function missingOf(layers: readonly InspectedLayer[], codes: readonly string[]): Missing | undefined {
  const decision = decisions.find(([, by]) => by.some((code) => codes.includes(code)));
  if (decision) return decision[0];
  return layers.some(({ crs }) => crs?.isGuessed) ? 'crs' : undefined;
}

function amountOf(layers: readonly InspectedLayer[]): Partial<InspectionFacts> {
  const counts = layers.map(({ featureCount }) => featureCount);
  if (layers.length === 0 || counts.some((count) => count === undefined)) return {};
  const isEstimated = layers.some((layer) => layer.isEstimated);
  const count = counts.reduce<number>((sum, each) => sum + each!, 0);
  return { count: isEstimated ? roughly(count) : count, isEstimated };
}

const shapes = ['Point', 'LineString', 'Polygon'] as const;

/** The geometry type, if all layers share one. */
function shapeOf(layers: readonly InspectedLayer[]): Partial<InspectionFacts> {
  const types = new Set(
    layers.flatMap(({ geometryTypes }) => geometryTypes.map((type) => type.replace('Multi', ''))),
  );
  const shape = shapes.find((one) => types.has(one));
  return types.size === 1 && shape !== undefined ? { shape } : {};
}

/** Three significant digits, since more would suggest a false precision of estimates. */
const roughly = (count: number) => Number(count.toPrecision(3));

function listOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((one) => typeof one === 'string' || typeof one === 'number').map(String)
    : [];
}
