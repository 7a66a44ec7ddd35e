import type { InspectedLayer } from '@platen/contract/inspect';
import type { Bytes } from '@platen/formats/bytes/bytes';
import { readAsciiGrid, sampleAsciiGrid } from '@platen/formats/grid/ascii-grid';
import { hgtNoData, recogniseHgt, sampleHgt } from '@platen/formats/grid/hgt';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import type { HeightDiagnosis } from '../../heights/diagnose-heights.ts';
import { damage } from '../damage.ts';
import { encodePicture } from '../encode-picture.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { placeBox } from '../place/place-box.ts';
import { measureMesh, meshWindows } from './measure-detail.ts';
import { factsAt } from './raster-facts.ts';
import { windowsOf } from './read-windows.ts';
import type { PixelSample } from './sample-pixels.ts';
import { readSidecarFiles } from './sidecar-files.ts';
import { drawRelief } from '../../tile-style/draw-relief.ts';
import { heightsAdvice, inspectHeights } from '../place/inspect-heights.ts';
import { checkHeights, flatHeightOf, undeclaredFill, valueRangeOf } from './value-range.ts';

const egm96 = 'EPSG:4326+5773';
const sampledSide = 450;

/** Inspects elevation grids: .hgt of SRTM and ESRI ASCII grids; undefined for other formats. */
export async function inspectGrid(
  subject: Subject,
  context: InspectionContext,
): Promise<Finding | undefined> {
  return (await inspectHgt(subject, context)) ?? (await inspectAscii(subject, context));
}

function usesOf(heights: HeightDiagnosis | undefined): Finding['uses'] {
  const reason = `Heights. To use them as terrain, convert them to quantized-mesh tiles. ${heightsAdvice(heights)}`;
  return [{ kind: 'datasource', type: 'qmesh', confidence: 0.3, reason }];
}

async function inspectHgt(
  { bytes, name }: Subject,
  { issues }: InspectionContext,
): Promise<Finding | undefined> {
  if (!bytes || !/\.hgt$/i.test(name)) return undefined;
  const tile = recogniseHgt(name, bytes.size);
  const format = { format: 'hgt', formatTitle: 'SRTM elevation tile', kind: 'terrain' } as const;
  if (!tile) {
    issues.add(
      'damagedFile',
      damage(name, 'it does not have the size of a .hgt, which is 3601 × 3601 or 1201 × 1201'),
    );
    return { ...format, layers: [], uses: [] };
  }
  const { side, corner } = tile;
  if (!corner)
    issues.add(
      'noGeoreference',
      `${name} does not have a name such as N49E011.hgt, which is the only place that states its position. Rename it.`,
    );
  const half = 0.5 / (side - 1);
  const box =
    corner && ([corner[0] - half, corner[1] - half, corner[0] + 1 + half, corner[1] + 1 + half] as const);
  const place = box ? placeBox(egm96, [...box], { file: name, issues }) : {};
  const step = Math.ceil(side / sampledSide);
  const count = Math.ceil(side / step);
  const sample = { width: count, height: count, bands: 1, values: await sampleHgt(bytes, side, step) };
  const range = valueRangeOf(sample, hgtNoData);
  const thumbnail = range && (await encodePicture(drawRelief(sample, hgtNoData)));
  const flat = flatHeightOf(sample, hgtNoData);
  const evidence = { fileName: name, vertical: findVerticalCrs(egm96), ...(flat && { flat }) };
  const heights = await inspectHeights(evidence, place);
  const details = {
    width: side,
    height: side,
    sampleType: 'int16',
    noData: hgtNoData,
    ...(range && { heightRange: [range.min, range.max], isRangeEstimated: step > 1 }),
    ...(range && range.noDataShare > 0 && { noDataShare: Number(range.noDataShare.toPrecision(2)) }),
    ...(heights && { heights }),
  };
  const facts = factsAt({ name, width: side, height: side }, place);
  const meshVertices =
    facts &&
    box &&
    measureMesh(await readWindowsOfHgt(bytes, side), {
      noData: hgtNoData,
      degrees: facts.degrees,
      latitude: box[1],
    });
  return {
    ...format,
    formatVersion: side === 3601 ? '1 arc second' : side === 1201 ? '3 arc seconds' : '2 arc seconds',
    layers: [layerOf(name, { ...place, details })],
    uses: usesOf(heights),
    ...(facts && { raster: { ...facts, ...(meshVertices !== undefined && { meshVertices }) } }),
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

async function readWindowsOfHgt(bytes: Bytes, side: number): Promise<PixelSample> {
  const windows = windowsOf({ width: side, height: side }, meshWindows);
  const { side: meshSide } = meshWindows;
  const values = new Float64Array(windows.length * meshSide ** 2).fill(NaN);
  let to = 0;
  for (const { left, top } of windows) {
    for (let row = 0; row < meshSide; row++, to += meshSide) {
      const line = await bytes.read(((top + row) * side + left) * 2, meshSide * 2);
      const view = new DataView(line.buffer, line.byteOffset, line.byteLength);
      for (let i = 0; i * 2 + 1 < line.length; i++) values[to + i] = view.getInt16(i * 2);
    }
  }
  return { width: meshSide, height: windows.length * meshSide, bands: 1, values };
}

async function inspectAscii(subject: Subject, { issues }: InspectionContext): Promise<Finding | undefined> {
  const { bytes, name } = subject;
  const grid = bytes && (await readAsciiGrid(bytes));
  if (!grid) return undefined;
  const format = { format: 'asciiGrid', formatTitle: 'ESRI ASCII grid', kind: 'terrain' } as const;
  if ('fault' in grid) {
    issues.add('damagedFile', damage(name, grid.fault));
    return { ...format, layers: [], uses: [] };
  }
  const { columns, rows, cellSize, noData } = grid;
  // a cell takes at least a digit and a space
  if (columns * rows * 2 > bytes.size - grid.dataOffset + 1)
    issues.add('damagedFile', damage(name, `it is too short for its ${columns} × ${rows} cells`));
  const { crs } = await readSidecarFiles(subject);
  const place = placeBox(crs, [...grid.box], { file: name, issues });
  const values = await sampleAsciiGrid(bytes, grid);
  const sample = { width: values.length, height: 1, bands: 1, values };
  const fill = undeclaredFill(sample, noData);
  const range = valueRangeOf(sample, noData ?? fill);
  if (range) checkHeights(range, fill, { file: name, issues });
  const flat = flatHeightOf(sample, noData ?? fill);
  const vertical = crs === undefined ? undefined : findVerticalCrs(crs);
  const heights = await inspectHeights({ fileName: name, vertical, ...(flat && { flat }) }, place);
  const details = {
    width: columns,
    height: rows,
    pixelSize: cellSize,
    ...(noData !== undefined && { noData }),
    ...(range && { heightRange: [range.min, range.max], isRangeEstimated: true }),
    ...(heights && { heights }),
  };
  const raster = factsAt({ name, width: columns, height: rows }, place);
  return {
    ...format,
    layers: [layerOf(name, { ...place, details })],
    uses: usesOf(heights),
    ...(raster && { raster }),
  };
}

function layerOf(name: string, more: Partial<InspectedLayer>): InspectedLayer {
  return {
    name: name.replace(/\.[^.]+$/, '').slice(0, 200) || 'grid',
    geometryTypes: [],
    featureCount: 1,
    isEstimated: false,
    isBboxEstimated: false,
    fields: [],
    ...more,
  };
}
