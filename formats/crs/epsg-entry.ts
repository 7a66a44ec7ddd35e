import { createRequire } from 'node:module';
import {
  openInstalledRegister,
  openPackedRegister,
  packedFolder,
  type EpsgEntry,
  type EpsgRegister,
} from './register.ts';

const require = createRequire(import.meta.url);
let opened: EpsgRegister | undefined;

/** The package where it is installed, otherwise what the build has packed. */
function register(): EpsgRegister {
  opened ??= openInstalledRegister() ?? openPackedRegister(packedFolder);
  return opened;
}

/** Reads a single code of the register, so that callers need not read all 8 MB. */
export function readEpsgEntry(code: string): EpsgEntry | undefined {
  if (!/^\d{4,6}$/.test(code)) return undefined;
  const text = register().read(code);
  return text === undefined ? undefined : (JSON.parse(text) as EpsgEntry);
}

/** The whole register, 8 MB of JSON (some 60 ms): for questions about names. Not kept. */
export function readAllEpsgEntries(): EpsgEntry[] {
  return register().readAll();
}

let list: Readonly<Record<string, readonly string[]>> | undefined;

/** The PROJ string of the package proj4-list, which is older and smaller but has the better datum shifts. */
export function listedDefinition(code: string): string | undefined {
  list ??= require('proj4-list') as Readonly<Record<string, readonly string[]>>;
  return list[`EPSG:${code}`]?.[1];
}
