import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The licence of a package that is shipped. */
export interface PackageLicence {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; empty if the package names none. */
  readonly licence: string;
  /** The files of the package with its licence and notices. */
  readonly texts: readonly string[];
}

export interface AboutFiles {
  /** CycloneDX. */
  readonly bill: Buffer;
  readonly licences: readonly PackageLicence[];
}

export const aboutFolder = fileURLToPath(new URL('../../../build/about', import.meta.url));

/** What `npm run build` has written about the packages; undefined if it did not run. */
export function readAbout(folder = aboutFolder): AboutFiles | undefined {
  const licences = join(folder, 'licences.json');
  if (!existsSync(licences)) return undefined;
  return {
    bill: readFileSync(join(folder, 'sbom.json')),
    licences: JSON.parse(readFileSync(licences, 'utf8')) as PackageLicence[],
  };
}
