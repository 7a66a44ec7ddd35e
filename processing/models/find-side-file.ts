/** A file that models may refer to, by its name. */
export interface SideFile {
  readonly path: string;
  readonly name: string;
}

/** Finds the file that a model means. @param from the name of the model @returns its number */
export type FindSideFile = (reference: string, from: string) => number | undefined;

/**
 * Looks files up by a path relative to the model, or else by their name alone: paths in models have backslashes, wrong
 * cases, and folders of other machines. Nothing is fetched from the web.
 */
export function createFileFinder(files: readonly SideFile[]): FindSideFile {
  const known = finders.get(files);
  if (known?.count === files.length) return known.find;
  const find = indexFiles(files);
  finders.set(files, { count: files.length, find });
  return find;
}

/** Thousands of tiles look into one list of files, which may grow. */
const finders = new WeakMap<readonly SideFile[], { readonly count: number; readonly find: FindSideFile }>();

function indexFiles(files: readonly SideFile[]): FindSideFile {
  const byPath = new Map<string, number>();
  const byName = new Map<string, number>();
  for (const [number, { name }] of files.entries()) {
    const path = fold(name);
    if (!byPath.has(path)) byPath.set(path, number);
    const last = path.slice(path.lastIndexOf('/') + 1);
    if (!byName.has(last)) byName.set(last, number);
  }
  return (reference, from) => {
    const wanted = fold(reference);
    const folder = fold(from).split('/').slice(0, -1);
    return byPath.get(resolve(folder, wanted)) ?? byName.get(wanted.slice(wanted.lastIndexOf('/') + 1));
  };
}

const fold = (path: string): string => decoded(path.replaceAll('\\', '/')).normalize('NFC').toLowerCase();

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function resolve(folder: readonly string[], path: string): string {
  const steps = [...folder];
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}
