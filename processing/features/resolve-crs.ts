import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { JobFailure } from '../job-type.ts';

/** Looks up the CRS named by an input or a file. @throws JobFailure `unknownCrs` */
export function resolveCrs(name: string, file: string): Crs {
  try {
    return findCrs(name);
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    throw new JobFailure('unknownCrs', `${file}: ${error.message}`, { cause: error });
  }
}
