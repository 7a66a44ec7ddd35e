import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { JobFailure } from '../job-type.ts';

/** The CRS that an input or a file names. @throws JobFailure `unknownCrs` */
export function namedCrs(name: string, file: string): Crs {
  try {
    return findCrs(name);
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    throw new JobFailure('unknownCrs', `${file}: ${error.message}`, { cause: error });
  }
}
