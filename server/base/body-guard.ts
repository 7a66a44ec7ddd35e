import type { ProblemDetail } from '@platen/contract/error';
import { Failure } from './failure.ts';
import { maxJsonDepth, requireBounds, type JsonBounds } from './json-bounds.ts';

const maxFreeFormBytes = 1_048_576;

/** Fields that are stored unchanged, each at most 1 MiB as JSON. */
const freeForm = ['properties', 'parameters', 'tags', 'typeProperties'];

/**
 * Parses a JSON body and rejects values that the database would change or refuse: bytes that are not UTF-8, NUL, lone
 * surrogates, `__proto__`, numbers beyond a double, and nesting below 64 levels.
 */
export function parseBody(bytes: Buffer, bounds: JsonBounds): unknown {
  if (bytes.length === 0) return undefined;
  requireBounds(bytes, bounds);
  const value = parseJson(decode(bytes));
  checkValue(value);
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure('invalid', 'The body is not valid UTF-8.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof SyntaxError ? error.message : 'it is nested too deeply';
    throw new Failure('invalid', `The body is not valid JSON: ${detail}`.slice(0, 300));
  }
}

/** Checks values that do not come as JSON: form fields, query and path parameters. */
export function checkValue(value: unknown): void {
  const errors: ProblemDetail[] = [];
  walk(value, undefined, 0, errors);
  if (errors.length > 0)
    throw new Failure('invalid', `${errors[0]!.pointer || 'body'}: ${errors[0]!.detail}`, { errors });
  if (value !== null && typeof value === 'object') checkSizes(value as Record<string, unknown>);
}

/** The place of a value, as a chain: its pointer is written only when the value is refused. */
interface Place {
  readonly parent: Place | undefined;
  key: string | number;
}

function walk(value: unknown, place: Place | undefined, depth: number, errors: ProblemDetail[]): void {
  if (errors.length >= 20) return;
  if (typeof value === 'string') return checkText(value, place, errors);
  if (typeof value === 'number' && !Number.isFinite(value))
    return refuse(errors, place, { code: 'number', detail: 'The number is too large.' });
  if (value === null || typeof value !== 'object') return;
  if (depth >= maxJsonDepth) {
    const detail = `The value is nested deeper than ${maxJsonDepth} levels.`;
    return refuse(errors, place, { code: 'depth', detail });
  }
  const child: Place = { parent: place, key: 0 };
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      child.key = i;
      walk(value[i], child, depth + 1, errors);
    }
    return;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__')
      refuse(errors, place, { code: 'key', detail: 'The key __proto__ is not allowed.' });
    checkText(key, place, errors);
    child.key = key;
    walk((value as Record<string, unknown>)[key], child, depth + 1, errors);
  }
}

function checkText(text: string, place: Place | undefined, errors: ProblemDetail[]): void {
  if (text.includes('\0'))
    refuse(errors, place, { code: 'nul', detail: 'The character NUL (U+0000) is not allowed.' });
  else if (!text.isWellFormed())
    refuse(errors, place, { code: 'unicode', detail: 'A lone surrogate is not valid Unicode.' });
}

function refuse(
  errors: ProblemDetail[],
  place: Place | undefined,
  problem: Omit<ProblemDetail, 'pointer'>,
): void {
  errors.push({ pointer: pointerOf(place).slice(0, 1000), ...problem });
}

function pointerOf(place: Place | undefined): string {
  return place ? `${pointerOf(place.parent)}/${escape(String(place.key))}` : '';
}

function checkSizes(body: Record<string, unknown>): void {
  for (const key of freeForm) {
    if (!Object.hasOwn(body, key)) continue;
    if (Buffer.byteLength(JSON.stringify(body[key]) ?? '') <= maxFreeFormBytes) continue;
    const detail = 'The value is larger than 1 MiB as JSON.';
    throw new Failure('too_large', `/${key}: ${detail}`, {
      errors: [{ pointer: `/${key}`, code: 'size', detail }],
    });
  }
}

const escape = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
