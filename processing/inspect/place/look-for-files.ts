import type { Inspecting, Subject } from '../inspector.ts';
import { pathWithin } from './path-within.ts';

const mostLooked = 20;
const mostNamed = 5;

interface LookingFor {
  readonly inspecting: Inspecting;
  /** `textures` */
  readonly what: string;
  /** The folder that names are relative to, ending with /; by default that of the file. */
  readonly folder?: string;
}

/** Whether the files that a model names lie beside it; undefined where it names none. */
export async function lookForFiles(
  subject: Subject,
  names: ReadonlySet<string>,
  { inspecting, what, folder = '' }: LookingFor,
): Promise<{ count: number; missing?: readonly string[] } | undefined> {
  if (names.size === 0) return undefined;
  const { issues, isOver } = inspecting;
  const missing: string[] = [];
  const foreign: string[] = [];
  let looked = 0;
  for (const name of names) {
    if (looked >= mostLooked || isOver()) break;
    if (name.startsWith('data:')) continue;
    looked++;
    const path = pathWithin(folder, name);
    if (path === undefined) foreign.push(name);
    else if ((await subject.find(path)) === undefined) missing.push(name);
  }
  const some = (list: readonly string[]) =>
    list
      .slice(0, mostNamed)
      .map((name) => name.slice(0, 100))
      .join(', ') + (list.length > mostNamed ? ' …' : '');
  if (foreign.length > 0) {
    const message = `${subject.name} names ${what} that lie elsewhere, which are not followed: ${some(foreign)}. Put them into its folder, and name them by a relative path.`;
    issues.add('outsideReference', message, foreign.length);
  }
  if (missing.length > 0) {
    const of =
      looked < names.size ? `of ${looked} that were looked for, of ${names.size} in all` : `of ${names.size}`;
    const message = `${subject.name} names ${what} that do not lie beside it, ${missing.length} ${of}: ${some(missing)}. Upload them to where they are named, or all in one zip file.`;
    issues.add('missingFiles', message, missing.length);
  }
  return { count: names.size, ...(missing.length > 0 && { missing: missing.slice(0, mostNamed) }) };
}
