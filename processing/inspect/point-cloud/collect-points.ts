import { viewOf } from '@platen/formats/bytes/read-exactly';
import { layoutOf } from '@platen/formats/las/point-format';
import type { LasHeader } from '@platen/formats/las/read-header';

/** A sample of a point cloud's points. */
export interface PointSample {
  readonly count: number;
  /** x, y, z of each point, in the file's units (metres or degrees). */
  readonly places: Float64Array;
  /** Red, green, blue of each point, as the file has them. */
  readonly colours: Uint16Array | undefined;
  readonly intensities: Uint16Array;
  /** Number of points per classification. */
  readonly classes: ReadonlyMap<number, number>;
}

export interface PointCollector {
  readonly take: (records: Uint8Array) => void;
  readonly sample: () => PointSample;
}

/** @param maxPoints further points are ignored */
export function createPointCollector(header: LasHeader, maxPoints: number): PointCollector {
  const { recordLength, scale, offset, pointFormat } = header;
  const layout = layoutOf(pointFormat);
  const places = new Float64Array(maxPoints * 3);
  const colours = layout.colour === undefined ? undefined : new Uint16Array(maxPoints * 3);
  const intensities = new Uint16Array(maxPoints);
  const classes = new Map<number, number>();
  let count = 0;
  return {
    take(records) {
      const view = viewOf(records);
      for (
        let at = 0;
        at + recordLength <= records.length && count < maxPoints;
        at += recordLength, count++
      ) {
        for (let axis = 0; axis < 3; axis++)
          places[count * 3 + axis] = view.getInt32(at + axis * 4, true) * scale[axis]! + offset[axis]!;
        intensities[count] = view.getUint16(at + layout.intensity, true);
        const kind = view.getUint8(at + layout.classification) & layout.classMask;
        classes.set(kind, (classes.get(kind) ?? 0) + 1);
        if (!colours) continue;
        for (let band = 0; band < 3; band++)
          colours[count * 3 + band] = view.getUint16(at + layout.colour! + band * 2, true);
      }
    },
    sample: () => ({
      count,
      places: places.subarray(0, count * 3),
      colours: colours?.subarray(0, count * 3),
      intensities: intensities.subarray(0, count),
      classes,
    }),
  };
}
