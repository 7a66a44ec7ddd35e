import type { InspectedLayer } from '@platen/contract/inspect';

export interface HeightFacts {
  /** What the heights of a layer count from: a name, a code, or `ellipsoid`; undefined if nothing is known. */
  readonly vertical: string | undefined;
  /** The file itself does not say it. */
  readonly isAssumed: boolean;
  /** Metres of sea level above the ellipsoid, for heights above sea level. */
  readonly undulation: number | undefined;
}

/** Undefined for a layer without heights. */
export function heightFacts({ verticalDatum, details }: InspectedLayer): HeightFacts | undefined {
  const diagnosis = details?.['heights'];
  if (typeof diagnosis !== 'object' || diagnosis === null || Array.isArray(diagnosis))
    return verticalDatum === undefined
      ? undefined
      : { vertical: verticalDatum, isAssumed: false, undulation: undefined };
  const { vertical, undulation } = diagnosis as { vertical?: unknown; undulation?: unknown };
  const known = verticalDatum ?? (typeof vertical === 'string' ? vertical : undefined);
  return {
    vertical: known,
    isAssumed: verticalDatum === undefined && known !== undefined,
    undulation: typeof undulation === 'number' && vertical !== 'ellipsoid' ? undulation : undefined,
  };
}
