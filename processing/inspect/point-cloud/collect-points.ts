import { viewOf } from '@platen/formats/bytes/read-exactly';
import { layoutOf } from '@platen/formats/las/point-format';
import type { LasHeader } from '@platen/formats/las/read-header';

/** What was seen of the points. */
export interface SeenPoints {
  readonly count: number;
  /** Metres or degrees, as the file has them: x, y, z of each. */
  readonly places: Float64Array;
  /** Red, green, blue of each, as the file has them. */
  readonly colours: Uint16Array | undefined;
  readonly intensities: Uint16Array;
  /** How many points are of each class. */
  readonly classes: ReadonlyMap<number, number>;
}

export interface PointCollector {
  readonly take: (records: Uint8Array) => void;
  readonly seen: () => SeenPoints;
}

/** @param most points; what comes after them is passed over */
export function createPointCollector(header: LasHeader, most: number): PointCollector {
  const { recordLength, scale, offset, pointFormat } = header;
  const layout = layoutOf(pointFormat);
  const places = new Float64Array(most * 3);
  const colours = layout.colour === undefined ? undefined : new Uint16Array(most * 3);
  const intensities = new Uint16Array(most);
  const classes = new Map<number, number>();
  let count = 0;
  return {
    take(records) {
      const view = viewOf(records);
      for (let at = 0; at + recordLength <= records.length && count < most; at += recordLength, count++) {
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
    seen: () => ({
      count,
      places: places.subarray(0, count * 3),
      colours: colours?.subarray(0, count * 3),
      intensities: intensities.subarray(0, count),
      classes,
    }),
  };
}
