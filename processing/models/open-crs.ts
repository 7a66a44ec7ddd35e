import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { JobFailure } from '../job-type.ts';

/** The CRS of a file, by its definition or its code. @throws JobFailure */
export function openCrs(text: string, file: string): Crs {
  try {
    return findCrs(text);
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    throw new JobFailure('unknownCrs', `${file}: ${error.message}`, { cause: error });
  }
}
