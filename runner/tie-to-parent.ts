import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** setpriv of util-linux, which all Debian and Fedora systems have; the one of busybox lacks the option. */
const places = ['/usr/bin/setpriv', '/bin/setpriv'];
const words = ['--pdeathsig', 'KILL', '--'];

let found: Promise<string[] | undefined> | undefined;

/**
 * The command prefix that makes the kernel kill a process as soon as its parent dies, even if it is busy.
 * @returns undefined without setpriv; then a thread watches the parent
 */
export function parentDeathCommand(): Promise<string[] | undefined> {
  return (found ??= find());
}

async function find(): Promise<string[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  for (const place of places) {
    const works = await promisify(execFile)(place, [...words, place, '--version'], { env: {} }).then(
      () => true,
      () => false,
    );
    if (works) return [place, ...words];
  }
  return undefined;
}
