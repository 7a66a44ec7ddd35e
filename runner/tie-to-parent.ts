import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Of util-linux, which every Debian and Fedora has; that of busybox cannot do it. */
const places = ['/usr/bin/setpriv', '/bin/setpriv'];
const words = ['--pdeathsig', 'KILL', '--'];

let found: Promise<string[] | undefined> | undefined;

/**
 * What stands before the command of a process so that the system kills it as soon as its parent dies, however busy it is.
 * undefined where there is no such program: then a thread of the process watches its parent.
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
