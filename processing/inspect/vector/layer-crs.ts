import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import type { Issues } from '../issues.ts';

/** The CRS of a layer; the first name counts. */
export interface LayerCrs {
  set(name: string, file: string): void;
  crs(): Crs | undefined;
  /** Whether the file names an unknown CRS. */
  isUnknown(): boolean;
}

export function createLayerCrs(issues: Issues): LayerCrs {
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
