import type { InspectionUse } from '@platen/contract/inspect';
import { formatBytes, formatDuration } from '../i18n/format.ts';

/** What a job will make and how long it takes, in words; undefined if that is not known. */
export function expectedOf({
  expectedBytes,
  expectedSeconds,
}: InspectionUse): { readonly size: string; readonly time: string } | undefined {
  if (expectedBytes === undefined || expectedSeconds === undefined) return undefined;
  // a job takes a second at least, and nobody can say more exactly
  const seconds = Math.max(1, Math.round(expectedSeconds));
  return { size: formatBytes(expectedBytes), time: formatDuration(seconds * 1000) };
}
