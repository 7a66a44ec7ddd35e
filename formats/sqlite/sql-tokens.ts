import { SqliteError } from './sqlite-error.ts';

/** A word, number or sign of SQL. */
export interface Token {
  /** A quoted name is given without its quotes. */
  readonly text: string;
  /** Lower case; empty for quoted names, which are not keywords. */
  readonly keyword: string;
  /** Number of enclosing brackets; brackets themselves count as outside. */
  readonly depth: number;
}

/** Every token begins where the one before has ended, so an open quotation is read once and ends it all. */
const token =
  /\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|'((?:[^']|'')*)'|[\w$\u0080-\uffff]+|[^"`'[]/gy;

/** Length of the text of a statement: SQLite itself keeps a few hundred characters for a table of 20 columns. */
export const maxSqlLength = 64 * 1024;

/**
 * The tokens of a statement as `sqlite_schema` keeps it.
 * @throws SqliteError for a longer statement than 64 KiB, and for a quotation without an end
 */
export function tokensOf(sql: string): Token[] {
  if (sql.length > maxSqlLength)
    throw new SqliteError(
      `its schema has a statement of ${sql.length} characters. The limit is ${maxSqlLength}`,
    );
  const tokens: Token[] = [];
  let depth = 0;
  let end = 0;
  for (const [whole, double, back, square, single] of sql.matchAll(token)) {
    end += whole.length;
    if (/^(?:\s|--|\/\*)/.test(whole)) continue;
    const quoted =
      double?.replaceAll('""', '"') ?? back?.replaceAll('``', '`') ?? square ?? single?.replaceAll("''", "'");
    if (whole === ')') depth--;
    tokens.push({ text: quoted ?? whole, keyword: quoted === undefined ? whole.toLowerCase() : '', depth });
    if (whole === '(') depth++;
  }
  if (end < sql.length) throw new SqliteError('its schema has a quotation without an end');
  return tokens;
}

/** The content of the first brackets that open at `depth`, split at its commas. */
export function partsOf(tokens: readonly Token[], depth: number): Token[][] {
  return partsAt(tokens, { open: tokens.findIndex((it) => it.keyword === '(' && it.depth === depth), depth });
}

/** The content of the brackets that open at the index `open`, split at its commas. */
export function partsAt(
  tokens: readonly Token[],
  { open, depth }: { open: number; depth: number },
): Token[][] {
  if (tokens[open]?.keyword !== '(') return [];
  const parts: Token[][] = [[]];
  for (let i = open + 1; i < tokens.length; i++) {
    const each = tokens[i]!;
    if (each.keyword === ')' && each.depth === depth) break;
    if (each.keyword === ',' && each.depth === depth + 1) parts.push([]);
    else parts.at(-1)!.push(each);
  }
  return parts.filter((part) => part.length > 0);
}
