/** Control characters, and those that change the direction of text or end a line. */
const unsafe = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** Text that cannot control a terminal: such characters are shown as escapes, as in JSON. */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`);
}

/** Rows in columns that are as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const safe = rows.map((row) => row.map(printable));
  const widths = (safe[0] ?? []).map((_, column) => Math.max(...safe.map((row) => row[column]!.length)));
  return safe.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size in bytes as people read it, such as 1.5 MB. */
export function sizeText(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const amount = bytes / 1000 ** unit;
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`;
}
