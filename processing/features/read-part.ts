import { isWithin } from '@platen/formats/crs/area';
import type { Crs } from '@platen/formats/crs/find-crs';
import type { VisitFeature } from '@platen/formats/feature/feature';
import { sourceFormats } from '@platen/formats/open/formats';
import { JobFailure, type JobContext } from '../job-type.ts';
import { explainSourceError } from './explain-source-error.ts';
import { resolveCrs } from './resolve-crs.ts';
import type { InputPart } from './open-inputs.ts';

export interface ReadPartOptions {
  readonly maxFeatureBytes: number;
  /** Keeps Z and M, as the file has them: only longitude and latitude are transformed. */
  readonly keepsHeights?: boolean;
  /** Called with the share of the part that has been read, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly warn: JobContext['warn'];
}

/** Degrees by which features may lie outside a CRS's area of use without a warning. */
const areaMargin = 2;

/** Visits the features of a part in longitude and latitude (WGS 84). @throws JobFailure */
export async function readPart(
  { part, file, crs: givenCrs }: InputPart,
  visit: VisitFeature,
  { maxFeatureBytes, keepsHeights = false, onProgress, warn }: ReadPartOptions,
): Promise<number> {
  const format = await sourceFormats[part.format]!();
  let crs = givenCrs === undefined ? undefined : crsOf(givenCrs, file);
  try {
    return await format.read(
      part,
      (feature, place) => {
        const { geometry } = feature;
        if (crs !== undefined && geometry.positionCount > 0) {
          crs.toLonLat(geometry.coordinates, geometry.positionCount);
          if (isOutside(crs, geometry.coordinates[0]!, geometry.coordinates[1]!)) {
            const message = `Features of ${file} are outside the area of use of ${crs.name}. Check whether this is the right CRS.`;
            warn('outsideCrsArea', message, { file, ...place() });
          }
        }
        visit(feature, place);
      },
      {
        maxFeatureBytes,
        keepsHeights,
        ...(onProgress !== undefined && { onProgress }),
        onCrs(name, isLate) {
          if (givenCrs !== undefined) return;
          crs = crsOf(name, file);
          if (isLate && crs !== undefined) throw lateCrs(name, file);
        },
      },
    );
  } catch (error) {
    throw explainSourceError(error, file);
  }
}

function lateCrs(name: string, file: string): JobFailure {
  const message = `it names its CRS, ${name}, only after its features: enter the CRS at the input`;
  return new JobFailure('unknownCrs', `${file}: ${message}.`);
}

/** Returns undefined for longitude and latitude, which need no transformation. */
function crsOf(name: string, file: string): Crs | undefined {
  const crs = resolveCrs(name, file);
  return crs.kind === 'lonLat' ? undefined : crs;
}

function isOutside({ area }: Crs, lon: number, lat: number): boolean {
  return area !== undefined && Number.isFinite(lon + lat) && !isWithin(area, [lon, lat], areaMargin);
}
