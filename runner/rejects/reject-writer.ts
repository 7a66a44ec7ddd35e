import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { maxRejectBytes, maxRejects, type RejectedFeature } from '@platen/processing/rejects';
import type { RejectCode } from '@platen/processing/warning-codes';

/** The file of rejected features: whole lines, so that it is complete however the process ends. */
export const rejectLinesOf = (scratchFolder: string): string => join(scratchFolder, 'rejects.geojsonl');

/** The property that holds the reason and the place of a rejected feature. */
const reasonProperty = 'platenReject';

export interface RejectWriter {
  add(code: RejectCode, feature: RejectedFeature): void;
}

/** Features that do not fit or cannot be written are dropped; the warnings count them. */
export function createRejectWriter(scratchFolder: string): RejectWriter {
  const path = rejectLinesOf(scratchFolder);
  rmSync(path, { force: true }); // left by an earlier attempt that this one resumes
  let file: number | undefined;
  let count = 0;
  let bytes = 0;
  let isFull = false;
  return {
    add(code, feature) {
      if (isFull) return;
      const line = Buffer.from(`${lineOf(code, feature)}\n`);
      isFull = ++count >= maxRejects;
      bytes += line.length;
      if (bytes > maxRejectBytes) {
        isFull = true;
        return;
      }
      try {
        file ??= openSync(path, 'w');
        for (let at = 0; at < line.length;) at += writeSync(file, line, at);
      } catch {
        isFull = true;
      }
      if (isFull && file !== undefined) closeSync(file);
    },
  };
}

function lineOf(code: RejectCode, feature: RejectedFeature): string {
  const { file, layer, reason, place, id, geometry, isPartOfGeometry } = feature;
  const group = { code, message: reason, file, layer, ...place, isPartOfGeometry };
  return JSON.stringify({
    type: 'Feature',
    id,
    geometry,
    properties: { ...feature.properties, [reasonProperty]: group },
  });
}

export function exampleOf({ file, layer, reason, place }: RejectedFeature): Record<string, unknown> {
  return { file, ...(layer !== undefined && { layer }), reason, ...place };
}
