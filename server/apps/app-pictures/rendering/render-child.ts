// Child process that renders the page of a map in a browser; see create-renderer.ts. Apart from the service, because what
// passes between browser and service is as much as a map loads.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { openDevtools } from './devtools.ts';
import { renderPage, type RenderOrder } from './render-page.ts';

export interface RenderCommand extends RenderOrder {
  /** The browser with its options, and what confines it. */
  readonly command: readonly string[];
}

/** The service has three times as much of a processor; with the lowest priority, busy machines would never finish. */
const niceness = 5;
setPriority(niceness);
const { command, ...order } = JSON.parse(process.argv[2]!) as RenderCommand;
const [program, ...words] = command;
const browser = spawn(program!, words, {
  stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C.UTF-8' },
  cwd: '/',
});
const [, , , input, output] = browser.stdio as unknown as [null, null, null, Writable, Readable];
const devtools = openDevtools(input, output);
const picture = await renderPage(devtools, order);
process.stdout.end(picture, () => {
  browser.kill('SIGKILL');
});
