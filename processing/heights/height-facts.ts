import type { VerticalCrs } from '@platen/formats/crs/vertical-crs';
import { verticalOfCode } from '@platen/formats/crs/vertical-wkt';
import { interpolate } from '@platen/formats/geoid/geoid-grid';
import { openShippedGrid } from '@platen/formats/geoid/shipped-grid-file';
import { egm96 } from '@platen/formats/geoid/shipped-grids';
import { diagnoseHeights } from './diagnose-heights.ts';
import type { HeightFacts } from './open-heights.ts';

/** What the heights of a file count from: what it says, or else what is usual for such data, if that is likely. */
export async function heightFactsOf({
  name,
  vertical,
  crsCode,
  place,
}: {
  /** Of the file. */
  readonly name: string;
  readonly vertical: VerticalCrs | undefined;
  readonly crsCode: string | undefined;
  /** Longitude and latitude of its middle. */
  readonly place: readonly [number, number];
}): Promise<HeightFacts> {
  if (vertical !== undefined) return { vertical };
  const undulation = interpolate(await openShippedGrid(egm96), ...place);
  const { vertical: likely, asks } = diagnoseHeights({ fileName: name, crsCode, place, undulation });
  const code = asks ? undefined : likely;
  if (code === undefined || code === 'ellipsoid') return { vertical };
  return { vertical, usual: verticalOfCode(code.replace(/^EPSG:/, '')) };
}
