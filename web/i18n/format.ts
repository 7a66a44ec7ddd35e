import { locale } from './i18n.ts';

// All of these read the current locale during rendering, so that changing the language renders them again.

/** Creating an Intl format takes longer than rendering a row: each is cached per language and options. */
function keptFormats<Options, Format>(Kind: new (language: string, options?: Options) => Format) {
  const kept = new Map<string, Format>();
  return (options?: Options): Format => {
    const key = `${locale.value} ${JSON.stringify(options)}`;
    let format = kept.get(key);
    if (!format) kept.set(key, (format = new Kind(locale.value, options)));
    return format;
  };
}
const numberFormat = keptFormats<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat);
const dateFormat = keptFormats<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat);
const relativeFormat = keptFormats<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  Intl.RelativeTimeFormat,
);

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  numberFormat(options).format(value);

/** `share` is between 0 and 1. */
export const formatPercent = (share: number) =>
  formatNumber(share, { style: 'percent', maximumFractionDigits: 0 });

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Powers of 1000, at most three digits: “4.2 MB”. */
export function formatBytes(bytes: number): string {
  let power = 0;
  let value = bytes;
  while (value >= 999.5 && power < byteUnits.length - 1) {
    value /= 1000;
    power += 1;
  }
  return formatNumber(value, {
    style: 'unit',
    unit: byteUnits[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 0 && value < 10 ? 1 : 0,
  });
}

/** “3 minutes ago”, “in 12 minutes”. */
export function formatDistance(seconds: number): string {
  const relative = relativeFormat({ numeric: 'auto' });
  const size = Math.abs(seconds);
  if (size < 60) return relative.format(Math.round(seconds), 'second');
  if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return relative.format(Math.round(seconds / 3600), 'hour');
  return relative.format(Math.round(seconds / 86_400), 'day');
}

/** The age of a timestamp; a date if older than 30 days. */
export function formatAge(timestamp: string): string {
  const seconds = (Date.parse(timestamp) - Date.now()) / 1000;
  return seconds < -30 * 86_400 ? formatDate(timestamp) : formatDistance(Math.min(0, seconds));
}

export const formatDate = (timestamp: string) =>
  dateFormat({ dateStyle: 'medium' }).format(new Date(timestamp));

export const formatDateTime = (timestamp: string) =>
  dateFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(timestamp));

export const formatTime = (timestamp: string) =>
  dateFormat({ timeStyle: 'medium' }).format(new Date(timestamp));

/** A duration in its two largest units: “1 min 40 s”. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const all = [
    [days, 'day'],
    [hours, 'hour'],
    [minutes, 'minute'],
    [seconds % 60, 'second'],
  ] as const;
  const from = all.findIndex(([value]) => value > 0);
  const shown = from === -1 ? all.slice(-1) : all.slice(from, from + 2).filter(([value]) => value > 0);
  return shown
    .map(([value, unit]) => formatNumber(value, { style: 'unit', unit, unitDisplay: 'short' }))
    .join(' ');
}
