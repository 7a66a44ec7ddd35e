import { JobFailure, type JobContext } from '../job-type.ts';
import { describeKinds, timesOf, type RejectKind } from './reject-kinds.ts';

/** What has become of the features of all inputs. */
export interface Outcome {
  readonly read: number;
  /** Something of them is in the output. */
  readonly used: number;
  /** Left out by the options. */
  readonly notWanted: number;
  readonly rejects: readonly RejectKind[];
  /** What coordinates that cannot be used look like. */
  readonly hint?: string | undefined;
}

/** So few that one cannot tell are judged as they are. */
const leastToJudge = 20;
const nearlyAll = 0.9;
const wrongCrs =
  'The data is probably in a projected CRS: name it at the input, or transform the data to EPSG:4326.';

/**
 * Decides, when everything was looked at, whether the job can go on without what was set aside.
 * @throws JobFailure where nothing is left, where what is left is chance, or where nothing may be set aside
 */
export function judgeReading(
  { read, used, notWanted, rejects, hint = wrongCrs }: Outcome,
  { inputs }: Pick<JobContext, 'inputs'>,
  isStrict: boolean,
): void {
  const files = inputs.map(({ name }) => name).join(', ');
  if (read === 0) throw new JobFailure('emptyInput', `${files}: no features.`);
  const rejected = timesOf(rejects);
  const nowhere = timesOf(rejects, 'invalidCoordinates');
  const crs = nowhere * 2 > rejected ? ` ${hint}` : '';
  if (used === 0 && rejected === 0) {
    const message = `${files}: none of the ${read} features is wanted by the filters and sources of modelOptions.`;
    throw new JobFailure('nothingWanted', message);
  }
  if (used === 0) {
    const which = notWanted > 0 ? `${rejected} features that modelOptions leave` : `${read} features`;
    throw new JobFailure(
      'nothingUsable',
      `${files}: none of the ${which} can be used: ${describeKinds(rejects)}.${crs}`,
    );
  }
  if (isStrict && rejected > 0) {
    throw new JobFailure(
      'strict',
      `${files}: ${rejected} of ${read} features cannot be used, and processing.strict lets none be left out: ${describeKinds(rejects)}.${crs} rejects.geojson shows them.`,
    );
  }
  if (nowhere >= leastToJudge && nowhere > read * nearlyAll) {
    throw new JobFailure(
      'invalidCoordinates',
      `${files}: ${nowhere} of ${read} features lie nowhere on Earth, so that the others are there by chance. ${hint}`,
    );
  }
}
