/**
 * Resolves a relative reference of a file within the subject. Returns undefined if it leads outside: to another host,
 * an
 * absolute path, or above the top folder.
 * @param folder of the file, ending with /, or empty
 */
export function pathWithin(folder: string, reference: string): string | undefined {
  const path = reference.replace(/[?#].*$/s, '').replaceAll('\\', '/');
  if (path === '' || /^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('/')) return undefined;
  const segments: string[] = [];
  for (const segment of `${folder}${decode(path)}`.split('/')) {
    if (segment === '' || segment === '.') continue;
    // oxlint-disable-next-line no-control-regex -- these lead nowhere
    if (/[\0-\x1f]/.test(segment)) return undefined;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.length === 0 ? undefined : segments.join('/');
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
