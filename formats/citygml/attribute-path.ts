/** The name of a nested attribute, `address.LocalityName`; the same object for the same elements. */
export interface AttributePath {
  readonly text: string;
  below(name: string): AttributePath;
}

/** Files may consist of nothing but names. */
const maxPaths = 10_000;

/** The root of all paths. They spare the joining of names, which are few. */
export function createAttributePaths(): AttributePath {
  let count = 0;
  const create = (text: string): AttributePath => {
    const paths = new Map<string, AttributePath>();
    return {
      text,
      below(name) {
        const known = paths.get(name);
        if (known !== undefined) return known;
        const path = create(text === '' ? name : `${text}.${name}`);
        if (count++ < maxPaths) paths.set(name, path);
        return path;
      },
    };
  };
  return create('');
}
