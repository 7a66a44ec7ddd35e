import { readFile } from 'node:fs/promises';

/** Of a process on Linux: what proc(5) calls fields 3 and up of its stat, the state first. undefined: there is none, or no Linux. */
export async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' '); // its name may have anything in it
}
