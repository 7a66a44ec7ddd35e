import type { Job, JobProgress, JobWait } from '@platen/contract/jobs';
import { formatBytes, formatDistance, formatDuration, formatNumber } from '../i18n/format.ts';
import { i18n } from '../i18n/i18n.ts';

const { t } = i18n.global;
const te = (key: string) => i18n.global.te(key);

export function phaseName(phase: string): string {
  const key = `jobs.phases.${phase}`;
  return te(key) ? t(key) : phase;
}

/** Why the job failed and what to do; for an unknown code, general advice. */
export function failureTexts(errorCode: string | undefined): {
  readonly what: string;
  readonly todo: string;
} {
  const key = `jobs.failures.${errorCode ?? 'unknown'}`;
  const known = te(`${key}.what`) ? key : 'jobs.failures.unknown';
  return { what: t(`${known}.what`), todo: t(`${known}.todo`) };
}

/** The name of a warning; undefined for codes without a text. */
export function warningName(code: string): string | undefined {
  const key = `jobs.warnings.${code}`;
  return te(key) ? t(key) : undefined;
}

/** The name of a part of a place, such as “line”. */
export function placeKeyName(key: string): string {
  const name = `jobs.places.${key}`;
  return te(name) ? t(name) : key;
}

/** What to do about a warning; undefined for codes without a text. */
export function warningAdvice(code: string): string | undefined {
  const key = `jobs.warningAdvice.${code}`;
  return te(key) ? t(key) : undefined;
}

export function waitText({ reason, until, jobsBefore = 1 }: JobWait): string {
  const seconds = until === undefined ? 0 : (Date.parse(until) - Date.now()) / 1000;
  const when = seconds > 0 ? formatDistance(seconds) : t('jobs.wantsRetry');
  return t(`jobs.waits.${reason}`, { n: formatNumber(jobsBefore), until: when }, jobsBefore);
}

/** “12.4 MB”, “1,200 tiles”. */
export function amountOf(amount: number, unit: string | undefined): string {
  if (unit === 'bytes') return formatBytes(amount);
  const rounded = amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount);
  const key = `jobs.units.${unit ?? ''}`;
  if (te(key)) return t(key, { n: formatNumber(rounded) }, rounded);
  return unit === undefined ? formatNumber(rounded) : `${formatNumber(rounded)} ${unit}`;
}

/** “4 MB of 12 MB”; without a total, only the amount done. */
export function doneOf({ done, total, unit }: Pick<JobProgress, 'done' | 'total' | 'unit'>): string {
  if (total === 0) return t('jobs.dataWorked', { done: amountOf(done, unit) });
  const isCounted = unit !== 'bytes';
  return t('jobs.doneOf', {
    done: isCounted ? formatNumber(Math.round(done)) : formatBytes(done),
    total: amountOf(total, unit),
  });
}

/** How long the job took, or has been running; undefined while it waits. */
export function msOf({ startTime, endTime }: Pick<Job, 'startTime' | 'endTime'>, now: number) {
  if (startTime === undefined) return undefined;
  return Math.max(0, (endTime === undefined ? now : Date.parse(endTime)) - Date.parse(startTime));
}

/** “1 min 40 s”; less than a second is “< 1 s” rather than “0 s”. */
export const durationText = (ms: number) => (ms < 950 ? `< ${formatDuration(1000)}` : formatDuration(ms));
