/** A word, number or sign of SQL. */
export interface Token {
  /** Of a quoted name without its quotes. */
  readonly text: string;
  /** In small letters, and empty where it is quoted and so no keyword. */
  readonly keyword: string;
  /** How many brackets it stands in; brackets themselves stand outside. */
  readonly depth: number;
}

const token =
  /\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|'((?:[^']|'')*)'|[\w$\u0080-\uffff]+|[\s\S]/g;

/** The tokens of a statement as `sqlite_schema` keeps it. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const [whole, double, back, square, single] of sql.matchAll(token)) {
    if (/^(?:\s|--|\/\*)/.test(whole)) continue;
    const quoted =
      double?.replaceAll('""', '"') ?? back?.replaceAll('``', '`') ?? square ?? single?.replaceAll("''", "'");
    if (whole === ')') depth--;
    tokens.push({ text: quoted ?? whole, keyword: quoted === undefined ? whole.toLowerCase() : '', depth });
    if (whole === '(') depth++;
  }
  return tokens;
}

/** What stands in the first brackets of these tokens that open at `depth`, divided by its commas. */
export function partsOf(tokens: readonly Token[], depth: number): Token[][] {
  const open = tokens.findIndex((each) => each.keyword === '(' && each.depth === depth);
  if (open < 0) return [];
  const parts: Token[][] = [[]];
  for (const each of tokens.slice(open + 1)) {
    if (each.keyword === ')' && each.depth === depth) break;
    if (each.keyword === ',' && each.depth === depth + 1) parts.push([]);
    else parts.at(-1)!.push(each);
  }
  return parts.filter((part) => part.length > 0);
}
