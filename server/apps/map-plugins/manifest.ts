import { maxPluginNameLength, pluginNamePattern } from '@platen/contract/map-plugins';
import { valid, validRange } from 'semver';
import { Failure } from '../../base/failure.ts';
import { parseBody } from '../../base/body-guard.ts';
import { isObject } from '../../base/is-object.ts';
import { requestBounds } from '../../base/json-bounds.ts';

/** The fields of package.json that are used. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Semver range of the versions of the map viewer that it runs on. */
  readonly mapVersion: string;
  readonly license: string | undefined;
}

const isRange = (text: string) => text.length <= maxRangeLength && validRange(text) !== null;

type Json = Readonly<Record<string, unknown>>;

const namePattern = new RegExp(pluginNamePattern);
const maxRangeLength = 256;
const maxDescriptionLength = 2000;
const maxLicenseLength = 200;

/** @throws Failure `unprocessable` if the manifest is not valid */
export function readManifest(content: Buffer): Manifest {
  const { name, version, description, license: rights, ...rest } = parse(content);
  if (typeof name !== 'string' || name.length > maxPluginNameLength || !namePattern.test(name))
    throw wrong('name must be a lower-case npm package name, such as @vcmap/print.');
  if (typeof version !== 'string' || version.length > 100 || valid(version) !== version)
    throw wrong('version must be a semver version without build metadata, such as 4.0.3.');
  const mapVersion = mapVersionOf(rest);
  if (typeof mapVersion !== 'string' || mapVersion.trim() === '' || !isRange(mapVersion))
    throw wrong(
      'mapVersion must be the semver range of map viewer versions that the plugin runs on, such as ^6.2.',
    );
  const text = typeof description === 'string' ? description.slice(0, maxDescriptionLength) : '';
  const license = typeof rights === 'string' ? rights.slice(0, maxLicenseLength) : undefined;
  return { name, version, description: text, mapVersion, license };
}

function parse(content: Buffer): Json {
  const value = tryParse(content);
  if (isObject(value)) return value;
  throw wrong('it must be a JSON object.');
}

function tryParse(content: Buffer): unknown {
  try {
    return parseBody(content, requestBounds);
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : 'it is not valid JSON.');
  }
}

/** Older plugins declare it in `engines` or `peerDependencies`. */
function mapVersionOf({ mapVersion, engines, peerDependencies }: Json): unknown {
  const { vcm } = Object(engines) as Json;
  const { '@vcmap/ui': ui } = Object(peerDependencies) as Json;
  return mapVersion ?? vcm ?? ui;
}

const wrong = (what: string) => new Failure('unprocessable', `package.json: ${what}`);
