import { Failure } from '../../base/failure.ts';
import { keyOf } from '../objects/key.ts';

/** The file as described by the header Upload-Metadata. */
export interface UploadMetadata {
  readonly key: string;
  readonly overwrite: boolean;
  /** The header as it came: HEAD gives it back. */
  readonly header: string;
}

/**
 * Parses pairs of a name and a base64 value, as tus defines them: `filename cGxhY2VzLmpzb24=,overwrite dHJ1ZQ==`.
 * @throws Failure `invalid` that names the wrong pair or the problem with the key
 */
export function readMetadata(header: string): UploadMetadata {
  const values = new Map(header === '' ? [] : header.split(',').map(readPair));
  const present = (name: string) => {
    const value = values.get(name);
    return value === '' || value === 'null' ? undefined : value; // some clients send these for an absent value
  };
  const name = values.get('key') ?? present('relativePath') ?? values.get('filename');
  if (name === undefined) throw wrong('It does not name the file: send key, relativePath or filename.');
  return { key: keyOf(name, 'Upload-Metadata'), overwrite: readFlag(values.get('overwrite')), header };
}

function readPair(pair: string): [name: string, value: string] {
  const [, name = '', base64 = ''] = /^([^ ]*) *(.*)$/s.exec(withoutSpaces(pair))!;
  const bytes = Buffer.from(base64, 'base64');
  const isPair = /^[!-+\--~]+$/.test(name) && /^[A-Za-z0-9+/]*={0,2}$/.test(base64);
  if (!isPair || bytes.toString('base64') !== padded(base64)) {
    throw wrong(`“${pair.slice(0, 100)}” is not a name and a value in base64.`);
  }
  try {
    return [name, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)];
  } catch {
    throw wrong(`The value of ${name} is not valid UTF-8.`);
  }
}

const withoutSpaces = (pair: string) => pair.replaceAll(/^ +|(?<! ) +$/g, '');

function padded(base64: string): string {
  const digits = base64.replaceAll('=', '');
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, '=');
}

function readFlag(value: string | undefined): boolean {
  if (value === undefined || value === '' || value === 'false' || value === '0') return false;
  if (value === 'true' || value === '1') return true;
  throw wrong('overwrite must be true or false.');
}

function wrong(detail: string): Failure {
  const errors = [{ pointer: 'Upload-Metadata', code: 'metadata', detail }];
  return new Failure('invalid', `Upload-Metadata: ${detail}`, { errors });
}
