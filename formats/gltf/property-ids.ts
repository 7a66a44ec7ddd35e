const german: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
};
const marks = /\p{M}+/gu;
const others = /[^A-Za-z0-9_]+/g;
const maxLength = 100;

/**
 * Ids for the properties of a class of EXT_structural_metadata, which are `^[a-zA-Z_][a-zA-Z0-9_]*$`, by names in any
 * script. A name that is an id already keeps it.
 */
export function propertyIds(names: readonly string[]): Map<string, string> {
  const isId = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && name.length <= maxLength;
  const used = new Set(names.filter(isId));
  const ids = new Map<string, string>();
  for (const [i, name] of names.entries()) {
    if (isId(name)) {
      ids.set(name, name);
      continue;
    }
    const latin = name
      .replace(/[äöüÄÖÜß]/g, (letter) => german[letter]!)
      .normalize('NFKD')
      .replace(marks, '');
    const plain = latin.replace(others, '_').slice(0, maxLength);
    const base =
      /[A-Za-z0-9]/.test(plain) && !/[^\p{ASCII}]/u.test(latin) ? plain.replace(/^(?=\d)/, '_') : `a_${i}`;
    let id = base;
    for (let number = 2; used.has(id); number++) id = `${base}_${number}`;
    used.add(id);
    ids.set(name, id);
  }
  return ids;
}
