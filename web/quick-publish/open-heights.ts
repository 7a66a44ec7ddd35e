import type { Inspection } from '@platen/contract/inspect';

/** What heights count from is not known well enough: a person has to say it. */
export interface OpenHeights {
  /** Metres of the sea above the ellipsoid at the data. */
  readonly undulation: number;
  /** The code of the likeliest sea level. */
  readonly seaLevel: string;
}

/** Mean sea level, where nothing is known of the country. */
const anySea = 'EPSG:5773';

/** Undefined where the data have no heights, or are known to be right. */
export function openHeights({ layers }: Pick<Inspection, 'layers'>): OpenHeights | undefined {
  const diagnosis = layers[0]?.details?.['heights'];
  if (typeof diagnosis !== 'object' || diagnosis === null) return undefined;
  const { asks, undulation, vertical, seaLevel } = diagnosis as Record<string, unknown>;
  if (asks !== true || typeof undulation !== 'number') return undefined;
  const isCode = (text: unknown): text is string => typeof text === 'string' && text.startsWith('EPSG:');
  return { undulation, seaLevel: [vertical, seaLevel].find(isCode) ?? anySea };
}
