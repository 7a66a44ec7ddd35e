import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { unpackedBytes } from '@platen/formats/bytes/unpacked-bytes';
import { hgtNoData, recogniseHgt, sampleHgt } from '@platen/formats/grid/hgt';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import type { FileSubject } from '../city-model/describe-city-model.ts';
import { damage } from '../damage.ts';
import { encodePicture } from '../encode-picture.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { placeBox } from '../place/place-box.ts';
import { inspectTextGrid } from './inspect-text-grid.ts';
import { gridLayer, gridUses } from './grid-layer.ts';
import { measureMesh, meshWindows } from './measure-detail.ts';
import { factsAt } from './raster-facts.ts';
import { everyNth, sampleGround } from './sample-ground.ts';
import { windowsOf } from './read-windows.ts';
import type { PixelSample } from './sample-pixels.ts';
import { drawRelief } from '../../tile-style/draw-relief.ts';
import { groundFactsOf, inspectHeights } from '../place/inspect-heights.ts';
import { flatHeightOf, valueRangeOf } from './value-range.ts';

const egm96 = 'EPSG:4326+5773';
const sampledSide = 450;

const packedGrid = /\.(?:hgt|asc|agr|grd|txt|xyz|csv|dat)\.gz$/i;
const gridAlone = /\.(?:hgt|asc|agr|xyz)\.gz$/i;
/** Of the memory, that an unpacked grid may take. */
const maxUnpackedShare = 1 / 4;

/** Inspects elevation grids, packed or not: .hgt of SRTM, ESRI ASCII grids, texts of x, y and height; undefined for others. */
export async function inspectGrid(
  subject: Subject,
  context: InspectionContext,
): Promise<Finding | undefined> {
  const { bytes, name } = subject;
  if (!bytes) return undefined;
  if (!packedGrid.test(name)) return inspectUnpacked({ ...subject, bytes }, context);
  try {
    const content = await unpackedBytes(bytes, context.memoryBytes * maxUnpackedShare);
    const file = { ...subject, name: name.slice(0, -3), size: content.size, bytes: content };
    return await inspectUnpacked(file, context);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    // another inspector may read what is no grid
    if (!gridAlone.test(name)) return undefined;
    context.issues.add('damagedFile', damage(name, error.message));
    return { kind: 'terrain', layers: [], uses: [] };
  }
}

const inspectUnpacked = async (file: FileSubject, context: InspectionContext): Promise<Finding | undefined> =>
  (await inspectHgt(file, context)) ?? (await inspectTextGrid(file, context));

async function inspectHgt(
  { bytes, name }: FileSubject,
  { issues }: InspectionContext,
): Promise<Finding | undefined> {
  if (!/\.hgt$/i.test(name)) return undefined;
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
  const pixel = 1 / (side - 1);
  const ground =
    box &&
    (await groundFactsOf(evidence, place, (crs, bbox) =>
      sampleGround({
        sample,
        noData: hgtNoData,
        crs,
        bbox,
        matrix: [pixel, 0, box[0], 0, -pixel, box[3]],
        toSample: everyNth(step),
      }),
    ));
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
    layers: [gridLayer(name, { ...place, details })],
    uses: gridUses(heights),
    ...(facts && { raster: { ...facts, ...(meshVertices !== undefined && { meshVertices }) } }),
    ...(ground && { ground }),
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
