import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine; undefined where there is none, which is an error in CI. */
export function findChromium(): string | undefined {
  const found = [process.env['PLATEN_CHROMIUM'] ?? '', ...candidates].find(
    (path) => path !== '' && existsSync(path),
  );
  if (found === undefined && process.env['CI'] === 'true') throw new Error(howToGetIt);
  return found;
}

export const howToGetIt =
  'No Chromium was found. Get it with “apt-get install chromium”, or name it in PLATEN_CHROMIUM.';

/** Headless, without a GPU, and without asking any host of its own accord. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
