import type { InspectionReport } from '@platen/contract/inspect';

const maxBytes = 250_000;

/** Steps that shorten the report, tried in order until it fits. */
const reductions: readonly ((report: InspectionReport) => InspectionReport)[] = [
  (report) => report,
  ({ pixels: _pixels, sheetPicture: _sheet, ...report }) => report,
  ({ thumbnail: _thumbnail, ...report }) => report,
  (report) => withLayers(report, ({ details: _details, ...layer }) => layer),
  (report) => withFields(report, (fields) => fields.map((field) => ({ ...field, examples: [] }))),
  (report) => withFields(report, (fields) => fields.slice(0, 20)),
  ({ layers, ...report }) => ({ ...withFields({ ...report, layers: layers.slice(0, 20) }, () => []) }),
  (report) => ({ ...report, layers: [], issues: report.issues.slice(0, 20) }),
];

export function fitReport(report: InspectionReport): InspectionReport {
  let shorter = report;
  for (const shorten of reductions) {
    shorter = shorten(shorter);
    if (Buffer.byteLength(JSON.stringify(shorter)) <= maxBytes) break;
  }
  return shorter;
}

type Layer = InspectionReport['layers'][number];

function withLayers(report: InspectionReport, change: (layer: Layer) => Layer): InspectionReport {
  return { ...report, layers: report.layers.map(change) };
}

function withFields(
  report: InspectionReport,
  change: (fields: Layer['fields']) => Layer['fields'],
): InspectionReport {
  return withLayers(report, (layer) => ({ ...layer, fields: change(layer.fields) }));
}
