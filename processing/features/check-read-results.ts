import { JobFailure, type JobContext } from '../job-type.ts';
import { describeRejects, totalRejects, type RejectCount } from '../kit/reject-counter.ts';

/** Counts of the features of all inputs after reading. */
export interface ReadResults {
  readonly read: number;
  /** Features of which at least a part is in the output. */
  readonly used: number;
  /** Features excluded by the options. */
  readonly notWanted: number;
  readonly rejects: readonly RejectCount[];
  /** A guess at what the unusable coordinates are, with advice. */
  readonly hint?: string | undefined;
}

/** With fewer features, the share of invalid ones says too little. */
const minToCheck = 20;
const maxInvalidShare = 0.9;
const wrongCrsHint =
  'The data is probably in a projected CRS: enter it at the input, or transform the data to EPSG:4326.';

/**
 * Decides after reading whether the job can continue without the rejected features.
 * @throws JobFailure if no feature is left, if what is left is there by chance, or if `isStrict` forbids rejects
 */
export function checkReadResults(
  { read, used, notWanted, rejects, hint = wrongCrsHint }: ReadResults,
  { inputs }: Pick<JobContext, 'inputs'>,
  isStrict: boolean,
): void {
  const files = inputs.map(({ name }) => name).join(', ');
  if (read === 0) throw new JobFailure('emptyInput', `${files}: no features.`);
  const rejected = totalRejects(rejects);
  const invalid = totalRejects(rejects, 'invalidCoordinates');
  const crs = invalid * 2 > rejected ? ` ${hint}` : '';
  if (used === 0 && rejected === 0) {
    const message = `${files}: the filters and sources of modelOptions exclude all ${read} features.`;
    throw new JobFailure('nothingWanted', message);
  }
  if (used === 0) {
    const which = notWanted > 0 ? `${rejected} features that modelOptions leave` : `${read} features`;
    throw new JobFailure(
      'nothingUsable',
      `${files}: none of the ${which} can be used: ${describeRejects(rejects)}.${crs}`,
    );
  }
  if (isStrict && rejected > 0) {
    throw new JobFailure(
      'strict',
      `${files}: ${rejected} of ${read} features cannot be used, and processing.strict allows no rejects: ${describeRejects(rejects)}.${crs} rejects.geojson shows them.`,
    );
  }
  if (invalid >= minToCheck && invalid > read * maxInvalidShare) {
    throw new JobFailure(
      'invalidCoordinates',
      `${files}: ${invalid} of ${read} features have invalid coordinates, so the others are probably wrong as well. ${hint}`,
    );
  }
}
