/** Whether two folders are the same, or one contains the other; the empty string contains all folders. */
export function overlaps(one: string, other: string): boolean {
  const [a, b] = [withSlash(one), withSlash(other)];
  return a.startsWith(b) || b.startsWith(a);
}

const withSlash = (folder: string) => (folder === '' || folder.endsWith('/') ? folder : `${folder}/`);
