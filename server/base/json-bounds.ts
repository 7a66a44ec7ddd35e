import { randomInt } from 'node:crypto';
import { Failure } from './failure.ts';

/** How much JSON is parsed at once. */
export interface JsonBounds {
  readonly maxValues: number;
  readonly maxKeys: number;
  /** Different keys, each of which costs the parser some five times what a repeated one does. */
  readonly maxNames: number;
}

/** Parsed and checked in some 50 ms, and more than a map configuration of 1 MiB holds. */
export const requestBounds: JsonBounds = { maxValues: 200_000, maxKeys: 100_000, maxNames: 20_000 };
/** Samples of features hold many numbers, which cost little; runners are enrolled by super users. */
export const jobReportBounds: JsonBounds = { maxValues: 1_000_000, maxKeys: 200_000, maxNames: 40_000 };

/** Levels of arrays and objects within each other. */
export const maxJsonDepth = 64;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts the values, keys and levels of a JSON text before it is parsed, in one pass over its bytes, as a few MiB of
 * brackets would hold the service for a second. What is not JSON is left to the parser.
 * @throws Failure `too_large` for too many values or keys, `invalid` for too many levels
 */
export function requireBounds(json: Uint8Array, { maxValues, maxKeys, maxNames }: JsonBounds): void {
  const names = json.length > maxNames ? createNameCounter() : undefined;
  let [values, keys, depth, textStart, textEnd] = [1, 0, 0, 0, 0];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) {
      textStart = at;
      textEnd = at = endOfText(json, at);
    } else if (byte === comma) {
      if (++values > maxValues) throw tooMany('values', maxValues);
    } else if (byte === colon) {
      if (++keys > maxKeys) throw tooMany('keys', maxKeys);
      if (names && names.count(json, textStart, textEnd) > maxNames)
        throw tooMany('different keys', maxNames);
    } else if (byte === openArray || byte === openObject) {
      if (++depth > maxJsonDepth + 1) throw tooDeep();
      if (++values > maxValues) throw tooMany('values', maxValues);
    } else if (byte === closeArray || byte === closeObject) {
      depth--;
      if (json[at - 1] === openArray || json[at - 1] === openObject) values--; // it has no first value
    }
  }
}

/** The index of the closing quote, or the end if there is none. */
function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const byte = json[at];
    if (byte === backslash) at++;
    else if (byte === quote) return at;
  }
  return json.length;
}

const hashBits = 18;
/** Nobody can choose names whose hashes are the same. */
const seed = randomInt(2 ** 32);

/** Counts different names by their hashes, so a few percent too low at most. */
function createNameCounter() {
  const seen = new Uint8Array(2 ** hashBits);
  let names = 0;
  return {
    count(bytes: Uint8Array, start: number, end: number): number {
      let hash = seed;
      for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
      const slot = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> (32 - hashBits);
      if (seen[slot] === 0) names++;
      seen[slot] = 1;
      return names;
    },
  };
}

function tooMany(what: string, max: number): Failure {
  return new Failure('too_large', `The body has too many ${what}. The limit is ${max.toLocaleString('en')}.`);
}

function tooDeep(): Failure {
  const detail = `The value is nested deeper than ${maxJsonDepth} levels.`;
  return new Failure('invalid', `body: ${detail}`, { errors: [{ pointer: '', code: 'depth', detail }] });
}
