import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import type { Issues } from '../issues.ts';

/** The CRS that a layer names: the first name counts. */
export interface NamedCrs {
  set(name: string, file: string): void;
  crs(): Crs | undefined;
  /** Whether there is a name that means nothing. */
  isUnknown(): boolean;
}

export function createNamedCrs(issues: Issues): NamedCrs {
  let crs: Crs | undefined;
  let isUnknown = false;
  return {
    set(name, file) {
      if (crs !== undefined || isUnknown) return;
      try {
        crs = findCrs(name);
        for (const { code, message } of crs.notes) issues.add(code, `${file}: ${message}`);
      } catch (error) {
        if (!(error instanceof UnknownCrs)) throw error;
        issues.add('unknownCrs', `${file}: ${error.message}`);
        isUnknown = true;
      }
    },
    crs: () => crs,
    isUnknown: () => isUnknown,
  };
}
