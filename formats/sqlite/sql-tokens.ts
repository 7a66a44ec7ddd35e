/** A word, number or sign of SQL. */
export interface Token {
  /** A quoted name is given without its quotes. */
  readonly text: string;
  /** Lower case; empty for quoted names, which are not keywords. */
  readonly keyword: string;
  /** Number of enclosing brackets; brackets themselves count as outside. */
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

/** The content of the first brackets that open at `depth`, split at its commas. */
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
