import type { AuditEntry } from '@platen/contract/audit';

const columns = [
  '_id',
  'createdAt',
  'actorId',
  'address',
  'userAgent',
  'action',
  'projectId',
  'targetId',
  'detail',
] as const;

export const csvHeader = `${columns.join(',')}\r\n`;

/** A line of CSV (RFC 4180); `detail` is JSON. */
export function toCsv(entry: AuditEntry): string {
  const cells = columns.map((name) => {
    const value = entry[name];
    return cellOf(typeof value === 'string' ? value : JSON.stringify(value));
  });
  return `${cells.join(',')}\r\n`;
}

/** Spreadsheets run what begins like a formula, and strangers choose their user agent and name. */
function cellOf(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
