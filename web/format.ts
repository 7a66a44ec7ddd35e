import { locale } from './messages.ts';

const number = new Intl.NumberFormat(locale);
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

export function formatNumber(value: number): string {
  return number.format(value);
}

/** A count with its noun, by one of the messages. */
export function counted(value: number, noun: (count: string, isOne: boolean) => string): string {
  return noun(formatNumber(value), value === 1);
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Powers of 1000, at most three digits: “4.2 MB”. */
export function formatBytes(bytes: number): string {
  let power = 0;
  let value = bytes;
  while (value >= 999.5 && power < byteUnits.length - 1) {
    value /= 1000;
    power += 1;
  }
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: byteUnits[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 0 && value < 10 ? 1 : 0,
  }).format(value);
}

/** “3 minutes ago”, “in 12 minutes”. */
export function formatDistance(seconds: number): string {
  const size = Math.abs(seconds);
  if (size < 60) return relative.format(Math.round(seconds), 'second');
  if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return relative.format(Math.round(seconds / 3600), 'hour');
  return relative.format(Math.round(seconds / 86_400), 'day');
}

export function formatAge(timestamp: string): string {
  return formatDistance(Math.min(0, (Date.parse(timestamp) - Date.now()) / 1000));
}
