import type { InspectionReport } from '@platen/contract/inspect';

const longestBytes = 250_000;

/** Less and less of what is told, until it may be kept. */
const ways: readonly ((report: InspectionReport) => InspectionReport)[] = [
  (report) => report,
  ({ thumbnail: _thumbnail, ...report }) => report,
  (report) => withLayers(report, ({ details: _details, ...layer }) => layer),
  (report) => withFields(report, (fields) => fields.map((field) => ({ ...field, examples: [] }))),
  (report) => withFields(report, (fields) => fields.slice(0, 20)),
  ({ layers, ...report }) => ({ ...withFields({ ...report, layers: layers.slice(0, 20) }, () => []) }),
  (report) => ({ ...report, layers: [], issues: report.issues.slice(0, 20) }),
];

export function fitReport(report: InspectionReport): InspectionReport {
  let shorter = report;
  for (const shorten of ways) {
    shorter = shorten(shorter);
    if (Buffer.byteLength(JSON.stringify(shorter)) <= longestBytes) break;
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
