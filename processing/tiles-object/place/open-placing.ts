import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { verticalOfCode } from '@platen/formats/crs/vertical-wkt';
import { heightsFor } from '../../heights/height-mode.ts';
import { usualVertical } from '../../heights/national-heights.ts';
import { openHeights } from '../../heights/open-heights.ts';
import { openCrs } from '../../models/open-crs.ts';
import { usedHeights, type UsedHeights } from '../../models/used-heights.ts';
import { JobFailure, type JobContext } from '../../job-type.ts';
import type { Settings } from '../settings.ts';
import type { ModelFile } from '../source/model-file.ts';
import type { ProbedModel } from '../source/read-model.ts';
import type { Placing } from './place-object.ts';

/** Opens the transformation of a model to places on the globe. @throws JobFailure */
export async function openPlacing(
  { name, crs: given }: ModelFile,
  { crsText, position, verticalText }: ProbedModel,
  {
    settings,
    context,
  }: { readonly settings: Settings; readonly context: Pick<JobContext, 'inputs' | 'warn' | 'geoidFolder'> },
): Promise<{ readonly placing: Placing; readonly used: UsedHeights }> {
  const text = given ?? crsText;
  if (text === undefined)
    throw new JobFailure(
      'unknownCrs',
      `${name} does not say in which coordinate system it is. Set the coordinate system of the input in the task, such as EPSG:25832.`,
    );
  const crs = openCrs(text, name);
  const point = Float64Array.of(...(position ?? [0, 0]));
  crs.toLonLat(point, 1);
  const [lon, lat] = [point[0]!, point[1]!];
  const usual = usualVertical(crs.code, [lon, lat]);
  const { mode, heights: options } = settings;
  const heights = await openHeights(
    heightsFor(mode, options),
    {
      vertical: findVerticalCrs(verticalText ?? text),
      ...(usual !== undefined && { usual: verticalOfCode(usual) }),
    },
    context,
  );
  return {
    placing: { crs, heights, isFlat: mode === 'flat', offset: options.offset ?? 0 },
    used: usedHeights(mode, heights),
  };
}
