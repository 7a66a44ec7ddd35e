type Words = { readonly [key: string]: string | Words };

/**
 * Compiles messages to code. Those with values or plural forms become the functions that vue-i18n would compile, so
 * that the browser needs no compiler; all others stay text. Supported formats: `{name}` and `one | many`.
 */
export function codeOfWords(words: Words): string {
  const fields = Object.entries(words).map(
    ([key, value]) =>
      `${JSON.stringify(key)}: ${typeof value === 'string' ? codeOfMessage(value) : codeOfWords(value)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

function codeOfMessage(text: string): string {
  // the compiler would leave these unchanged
  if (!/[{}|@]/.test(text)) return JSON.stringify(text);
  const cases = text.split(/\s*\|\s*/).map(codeOfCase);
  return `(c) => ${cases.length === 1 ? cases[0] : `c.plural([${cases.join(', ')}])`}`;
}

function codeOfCase(text: string): string {
  const parts = text.split(/(\{\w+\})/).filter((part) => part !== '');
  const code = parts.map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined) return `c.interpolate(c.named('${name}'))`;
    if (/[{}]/.test(part)) throw new Error(`“${text}” has a brace that begins no name of a value`);
    return JSON.stringify(part);
  });
  return `c.normalize([${code.join(', ')}])`;
}
