import { readFile } from 'node:fs/promises';

/**
 * Fields 3 and up of /proc/<pid>/stat (proc(5)), the state first; undefined without such a process or on another
 * system than Linux.
 */
export async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' '); // the name in parentheses may contain anything
}
