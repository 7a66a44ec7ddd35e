import type { InspectionFacts, InspectionReport } from '@platen/contract/inspect';
import { factsOf } from '@platen/contract/inspection-facts';

const maxLength = 200;

/** Summarises a report in one line: `CityGML 2.0 · LoD 2 · 412,388 buildings`. */
export function summaryOf(report: InspectionReport): string {
  const { formatTitle, formatVersion, issues } = report;
  if (formatTitle === undefined)
    return (issues[0]?.message ?? 'Not recognised').slice(0, maxLength).toWellFormed();
  const version = formatVersion === undefined ? [] : [formatVersion];
  const parts = [[formatTitle, ...version].join(' '), ...contentOf(report.kind, factsOf(report))];
  return parts.join(' · ').slice(0, maxLength).toWellFormed();
}

function contentOf(kind: InspectionReport['kind'], facts: InspectionFacts): string[] {
  const { layers, levelsOfDetail, width, height, sheets } = facts;
  if (sheets !== undefined) return [`${grouped(sheets)} sheets`];
  const levels = levelsOfDetail ? [`LoD ${levelsOfDetail.join(', ')}`] : [];
  if (kind === 'raster') {
    return width === undefined ? levels : [...levels, `${grouped(width)} × ${grouped(height!)} pixels`];
  }
  return [...levels, ...(layers > 1 ? [`${layers} layers`] : []), ...amountOf(kind, facts)];
}

const nouns: Readonly<Record<string, readonly [one: string, several: string]>> = {
  vector: ['feature', 'features'],
  cityModel: ['city object', 'city objects'],
  pointCloud: ['point', 'points'],
  tiles: ['tile', 'tiles'],
  tileset: ['tile', 'tiles'],
  terrain: ['tile', 'tiles'],
  mesh: ['mesh', 'meshes'],
  sceneLayer: ['feature', 'features'],
  Point: ['point', 'points'],
  LineString: ['line', 'lines'],
  Polygon: ['polygon', 'polygons'],
};

function amountOf(kind: InspectionReport['kind'], { count, shape, isEstimated }: InspectionFacts): string[] {
  const noun = nouns[shape ?? kind ?? ''];
  if (noun === undefined || count === undefined) return [];
  return [`${isEstimated ? 'about ' : ''}${grouped(count)} ${noun[count === 1 ? 0 : 1]}`];
}

const grouped = (count: number) => count.toLocaleString('en');
