import type { InspectionContext, Subject } from '../inspector.ts';
import { pathWithin } from '@platen/formats/tiles-3d/path-within';

const maxChecked = 20;
const maxNamed = 5;

interface ReferenceContext {
  readonly context: InspectionContext;
  /** The kind of file for messages, such as `textures`. */
  readonly what: string;
  /** The folder that names are relative to, ending with /; by default the file's own. */
  readonly folder?: string;
}

/** Checks whether the files that a model references exist; undefined if it references none. */
export async function checkReferencedFiles(
  subject: Subject,
  names: ReadonlySet<string>,
  { context, what, folder = '' }: ReferenceContext,
): Promise<{ count: number; missing?: readonly string[] } | undefined> {
  if (names.size === 0) return undefined;
  const { issues, isOver } = context;
  const missing: string[] = [];
  const foreign: string[] = [];
  let checked = 0;
  for (const name of names) {
    if (checked >= maxChecked || isOver()) break;
    if (name.startsWith('data:')) continue;
    checked++;
    const path = pathWithin(folder, name);
    if (path === undefined) foreign.push(name);
    else if ((await subject.find(path)) === undefined) missing.push(name);
  }
  const some = (list: readonly string[]) =>
    list
      .slice(0, maxNamed)
      .map((name) => name.slice(0, 100))
      .join(', ') + (list.length > maxNamed ? ' …' : '');
  if (foreign.length > 0) {
    const message = `${subject.name} refers to ${what} outside its folder, which are not read: ${some(foreign)}. Put them into its folder, and refer to them by a relative path.`;
    issues.add('outsideReference', message, foreign.length);
  }
  if (missing.length > 0) {
    const of = checked < names.size ? `of ${checked} checked, of ${names.size} in all` : `of ${names.size}`;
    const message = `${subject.name} refers to ${what} that are missing, ${missing.length} ${of}: ${some(missing)}. Upload them to the referenced paths, or everything in one zip file.`;
    issues.add('missingFiles', message, missing.length);
  }
  return { count: names.size, ...(missing.length > 0 && { missing: missing.slice(0, maxNamed) }) };
}
