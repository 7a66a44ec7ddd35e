import type { CardDesign, CardRow } from '@platen/contract/cards';

type Attributes = Readonly<Record<string, unknown>>;

/** One attribute of one feature. */
export interface CardEntry {
  readonly title: string;
  readonly text: string;
  /** Address that the text leads to: `https:`, `http:`, `mailto:` or `tel:`, or a path of the same server. */
  readonly href?: string;
  /** Address of a picture, which is shown instead of the text. */
  readonly src?: string;
}

export interface CardContent {
  /** Undefined if the feature has no value for it. */
  readonly title: string | undefined;
  readonly subtitle: string | undefined;
  readonly entries: readonly CardEntry[];
}

/**
 * What a card says of a feature: plain texts, whatever the attributes contain.
 * @param locale such as `en`; formats numbers and dates
 */
export function cardContent(design: CardDesign, attributes: Attributes, locale: string): CardContent {
  const lineOf = (name: string | undefined) => {
    const text = name ? plainText(valueOf(attributes, name), locale) : '';
    return text === '' ? undefined : text.replaceAll(/\s+/g, ' ').slice(0, maxLine);
  };
  const entries = design.rows.flatMap((row) => {
    const value = valueOf(attributes, row.attribute);
    const title = row.title || row.attribute;
    if (plainText(value, locale) === '') return design.showsEmpty ? [{ title, text: '–' }] : [];
    return [{ title, ...entryOf(row, value, locale) }];
  });
  return { title: lineOf(design.title), subtitle: lineOf(design.subtitle), entries };
}

const maxLine = 200;
const maxText = 5000;

/** By its name, or else through objects: `address.street`. */
function valueOf(attributes: Attributes, name: string): unknown {
  if (Object.hasOwn(attributes, name)) return attributes[name];
  let value: unknown = attributes;
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Attributes)[step];
  }
  return value;
}

function entryOf(row: CardRow, value: unknown, locale: string): Omit<CardEntry, 'title'> {
  const text = plainText(value, locale);
  if (row.type === 'date') return { text: dateText(value, row.precision ?? 'day', locale) ?? text };
  if (row.type === 'text') {
    const shown = typeof value === 'number' ? numberText(value, locale, row.digits) : text;
    return { text: row.unit ? `${shown}\u00a0${row.unit}` : shown };
  }
  const address = addressOf(`${row.prefix ?? ''}${String(value).trim()}`);
  if (address === undefined) return { text };
  if (row.type === 'link') return { text: row.text || text, href: address };
  return /^(?:https?:|\/)/.test(address) ? { text, src: address } : { text };
}

/** Only what people can follow safely: no scripts, data or files. */
function addressOf(text: string): string | undefined {
  if (/^\/(?![/\\])\S*$/.test(text)) return text;
  if (/^[^\s@:/]+@[^\s@:/.]+(?:\.[^\s@:/.]+)+$/.test(text)) return `mailto:${text}`;
  try {
    const { protocol, href } = new URL(/^www\./i.test(text) ? `https://${text}` : text);
    return ['https:', 'http:', 'mailto:', 'tel:'].includes(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

function plainText(value: unknown, locale: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberText(value, locale);
  if (typeof value === 'boolean')
    return locale.startsWith('de') ? (value ? 'ja' : 'nein') : value ? 'yes' : 'no';
  if (value instanceof Date) return dateText(value, 'day', locale) ?? '';
  const text = Array.isArray(value)
    ? (value as unknown[])
        .map((one) => plainText(one, locale))
        .filter(Boolean)
        .join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value as string | bigint | symbol);
  const trimmed = text.trim();
  return trimmed.length > maxText ? `${trimmed.slice(0, maxText)} …` : trimmed;
}

/** Whole numbers below 10,000, such as years, have no separators. */
function numberText(value: number, locale: string, digits?: number): string {
  if (!Number.isFinite(value)) return '';
  const isLarge = Math.abs(value) >= 10_000;
  const format = new Intl.NumberFormat(locale, {
    useGrouping: isLarge,
    ...(digits === undefined
      ? {
          maximumFractionDigits: isLarge ? 0 : 3,
          ...(Math.abs(value) < 0.01 && { maximumSignificantDigits: 3 }),
        }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  });
  return format.format(value);
}

const shown = {
  year: { year: 'numeric' },
  month: { year: 'numeric', month: 'long' },
  day: { year: 'numeric', month: 'long', day: 'numeric' },
  minute: { year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Of ISO 8601 and German texts, and of milliseconds since 1970. Undefined if it is no date. */
function dateText(value: unknown, precision: keyof typeof shown, locale: string): string | undefined {
  const date = dateOf(value);
  if (date === undefined || Number.isNaN(date.getTime())) return undefined;
  // a date without a time means the same day everywhere
  const hasTime = typeof value !== 'string' || /\d[T ]\d/.test(value);
  return new Intl.DateTimeFormat(locale, {
    ...shown[hasTime ? precision : precision === 'minute' ? 'day' : precision],
    ...(!hasTime && { timeZone: 'UTC' }),
  }).format(date);
}

function dateOf(value: unknown): Date | undefined {
  if (value instanceof Date) return value;
  if (typeof value === 'number')
    // years, and milliseconds
    return Math.abs(value) < 10_000 ? undefined : new Date(value);
  if (typeof value !== 'string') return undefined;
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(value.trim()) ?? [];
  if (year !== undefined) return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return /^\d{4}-\d{2}(?:-\d{2})?(?:[T ]|$)/.test(value.trim()) ? new Date(value.trim()) : undefined;
}
