import { existsSync } from 'node:fs';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * The browser that renders pictures of apps; undefined: none is installed, or it is switched off.
 * @param setting its path, `off`, or nothing @throws Error if there is no program at the path
 */
export function findChromium(setting: string | undefined): string | undefined {
  if (setting === 'off') return undefined;
  if (!setting) return candidates.find((path) => existsSync(path));
  if (existsSync(setting)) return setting;
  throw new Error(`PLATEN_CHROMIUM must be off or the path of a Chromium; there is none at ${setting}.`);
}
