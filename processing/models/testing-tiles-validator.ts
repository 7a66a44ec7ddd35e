import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

const named = process.env['TILES_VALIDATOR'];

/** The program of Cesium's 3d-tiles-validator; undefined where it is not. */
export const tilesValidator = named !== undefined && existsSync(named) ? named : undefined;
export const howToGetTilesValidator =
  'TILES_VALIDATOR does not name 3d-tiles-validator: clone https://github.com/CesiumGS/3d-tiles-validator, run npm install and npx tsc there (with 3d-tiles-tools 0.5.3 and sharp 0.34 in its package.json where npm has no others), and set it to build/main.js';

interface Issue {
  readonly type: string;
  readonly path: string;
  readonly message: string;
  readonly severity: string;
  readonly causes?: readonly Issue[];
}

/** What it says of a tileset and its contents, as texts; none if these are valid. @param report the path of a file that it writes */
export async function tilesetProblems(tileset: string, report: string): Promise<string[]> {
  const child = spawn(process.execPath, [tilesValidator!, '--tilesetFile', tileset, '--reportFile', report], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
  const { issues = [] } = JSON.parse(await readFile(report, 'utf8')) as {
    readonly issues?: readonly Issue[];
  };
  return issues.flatMap(problemsIn);
}

function problemsIn({ type, path, message, severity, causes = [] }: Issue): string[] {
  if (causes.length > 0) return causes.flatMap(problemsIn);
  return severity === 'INFO' ? [] : [`${type} ${path}: ${message}`];
}
