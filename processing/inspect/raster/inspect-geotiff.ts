import { BytesError } from '@platen/formats/bytes/bytes';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import type { VerticalCrs } from '@platen/formats/crs/vertical-crs';
import { crsOfKeys } from '@platen/formats/geotiff/geo-crs';
import type { GeoKeys } from '@platen/formats/geotiff/geo-keys';
import { boxOf, type GeoTransform } from '@platen/formats/geotiff/geo-transform';
import type { TiffImage } from '@platen/formats/geotiff/read-image';
import { isTiff, readTiff } from '@platen/formats/geotiff/read-tiff';
import { tag } from '@platen/formats/geotiff/tags';
import { damage } from '../damage.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import type { RasterFacts } from '@platen/contract/inspect';
import type { Place } from '../place/resolve-place.ts';
import { placeBox } from '../place/place-box.ts';
import { describeTiff, type DescribedTiff } from './describe-tiff.ts';
import { describePixels } from './describe-pixels.ts';
import { assessRaster } from './assess-raster.ts';
import { groundFactsOf, inspectHeights } from '../place/inspect-heights.ts';
import { inspectPixels, type PixelInspection } from './inspect-pixels.ts';
import { measureMesh, measurePacking } from './measure-detail.ts';
import { factsAt } from './raster-facts.ts';
import { evenly, sampleGround } from './sample-ground.ts';
import { readSidecarFiles } from './sidecar-files.ts';

/** Inspects GeoTIFF, BigTIFF and COG; undefined for other formats. */
export async function inspectGeoTiff(
  subject: Subject,
  context: InspectionContext,
): Promise<Finding | undefined> {
  const { bytes, name } = subject;
  if (!bytes || !isTiff(await bytes.read(0, 4))) return undefined;
  const { issues } = context;
  try {
    const tiff = await readTiff(bytes);
    if (tiff.fault !== undefined) issues.add('damagedFile', damage(name, tiff.fault));
    return await describe(await describeTiff(tiff, name, issues), subject, context);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('damagedFile', damage(name, error.message));
    return { format: 'geotiff', formatTitle: 'GeoTIFF', kind: 'raster', layers: [], uses: [] };
  }
}

async function describe(
  described: DescribedTiff,
  subject: Subject,
  context: InspectionContext,
): Promise<Finding> {
  const { images, keys, tiff, cogFaults } = described;
  const { name } = subject;
  const [image] = images as [TiffImage, ...TiffImage[]];
  const main = images.filter(({ isOverview, isMask }) => !isOverview && !isMask);
  const { place, transform, vertical } = await locate(described, subject, context);
  const pixels = await inspectPixels({ ...described, transform }, name, context);
  const isCog = cogFaults.length === 0 && image.isTiled;
  const isPlaced = transform !== undefined || place.bbox !== undefined;
  const evidence = { fileName: name, vertical, flat: pixels.flat };
  const heights = pixels.isElevation ? await inspectHeights(evidence, place) : undefined;
  const sampled = heights && transform && pixels.heights;
  const ground =
    sampled &&
    (await groundFactsOf(evidence, place, (crs, bbox) =>
      sampleGround({
        ...sampled,
        crs,
        bbox,
        matrix: transform.matrix,
        toSample: evenly(sampled.sample, image),
      }),
    ));
  const facts = { ...described, transform, place, pixels, isCog, heights };
  const assessment = assessRaster(facts, name, context.issues);
  const raster = await rasterOf(described, { name, transform, place, pixels });
  return {
    format: 'geotiff',
    formatTitle: titleOf(isCog, isPlaced, keys),
    formatVersion: `${tiff.isBig ? 'BigTIFF' : 'TIFF 6'}${keys.size > 0 ? `, GeoTIFF ${keys.version}` : ''}`,
    kind: assessment.isElevation ? 'terrain' : 'raster',
    layers: [
      {
        name: name.replace(/\.[^.]+$/, '').slice(0, 200) || 'image',
        geometryTypes: [],
        featureCount: Math.max(1, main.length),
        isEstimated: false,
        isBboxEstimated: transform?.isApproximate === true,
        fields: [],
        ...place,
        details: {
          ...describePixels({ ...described, transform }, isCog),
          ...detailsOf(pixels),
          ...(heights && { heights }),
        },
      },
    ],
    uses: assessment.uses,
    ...(raster && { raster }),
    ...(ground && { ground }),
    ...(pixels.thumbnail !== undefined && { thumbnail: pixels.thumbnail }),
    ...(pixels.pixels && { pixels: pixels.pixels }),
  };
}

interface LocatedPixels {
  readonly name: string;
  readonly transform: GeoTransform | undefined;
  readonly place: Place;
  readonly pixels: PixelInspection;
}

async function rasterOf(
  { images: [image] }: DescribedTiff,
  { pixels: { detail, isElevation, mask }, ...located }: LocatedPixels,
): Promise<RasterFacts | undefined> {
  const { place, ...raster } = located;
  const facts = factsAt({ ...raster, width: image!.width, height: image!.height }, place);
  if (!facts || !detail) return facts && { ...facts, ...(mask && { mask }) };
  const { sample, noData, picture } = detail;
  const [, south = 0, , north = 0] = place.bbox ?? [];
  const { degrees } = facts;
  const meshVertices = isElevation
    ? measureMesh(sample, { noData, degrees, latitude: (south + north) / 2 })
    : undefined;
  const packed = await measurePacking(picture);
  return { ...facts, ...packed, ...(mask && { mask }), ...(meshVertices !== undefined && { meshVertices }) };
}

function titleOf(isCog: boolean, isPlaced: boolean, keys: GeoKeys): string {
  if (isCog) return 'Cloud-optimized GeoTIFF';
  return isPlaced || keys.size > 0 ? 'GeoTIFF' : 'TIFF image';
}

function detailsOf({ range, isElevation }: PixelInspection): Record<string, unknown> {
  if (range === undefined) return {};
  const { min, max, noDataShare } = range;
  return {
    [isElevation ? 'heightRange' : 'valueRange']: [min, max],
    isRangeEstimated: true,
    ...(noDataShare > 0 && { noDataShare: Number(noDataShare.toPrecision(2)) }),
  };
}

interface GeoTiffLocation {
  readonly place: Place;
  readonly transform: GeoTransform | undefined;
  readonly vertical: VerticalCrs | undefined;
}

/** Locates the image by its geo keys, or by sidecar files where they are missing. */
async function locate(
  { images, keys, transform: own, tiff }: DescribedTiff,
  subject: Subject,
  { issues, area }: InspectionContext,
): Promise<GeoTiffLocation> {
  const [image] = images as [TiffImage];
  const { text, citation, vertical } = crsOfKeys(keys);
  const sidecar = own !== undefined && text !== undefined ? {} : await readSidecarFiles(subject);
  const transform = own ?? sidecar.transform;
  const crs = text ?? sidecar.crs;
  const file = subject.name;
  if (transform === undefined) {
    const isByRational = tiff.directories[0]!.tags.has(tag.rationalCoefficients);
    issues.add(
      'noGeoreference',
      isByRational
        ? `${file} is georeferenced only by rational polynomial coefficients (RPC): orthorectify it (gdalwarp -rpc), and upload the result.`
        : `${file} has no georeference. Upload its world file (.tfw) with it, or georeference it.`,
    );
  }
  if (transform?.isApproximate === true)
    issues.add(
      'controlPoints',
      `${file} is georeferenced only by ground control points: warp it (gdalwarp), and upload the result.`,
    );
  const box = transform && boxOf(transform, image.width, image.height);
  const placeContext = { file, issues, area };
  if (crs === undefined && keys.size > 0 && citation !== undefined)
    issues.add('unknownCrs', `${file}: its CRS "${citation}" is unknown. Write its EPSG code into the file.`);
  const place = crs === undefined && box === undefined ? {} : placeBox(crs, box, placeContext);
  const heights = vertical ?? (crs === undefined ? undefined : findVerticalCrs(crs));
  return {
    place: { ...place, ...(vertical !== undefined && { verticalDatum: vertical.name }) },
    transform,
    vertical: heights,
  };
}
