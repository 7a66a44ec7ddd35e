import type { ProblemDetail } from '@platen/contract/error';
import { Failure } from './failure.ts';

const maxDepth = 64;
const maxFreeFormBytes = 1_048_576;

/** Fields that are stored unchanged, each at most 1 MiB as JSON. */
const freeForm = ['properties', 'parameters', 'tags', 'typeProperties'];

/**
 * Parses a JSON body and rejects values that the database would change or refuse: bytes that are not UTF-8, NUL, lone
 * surrogates, `__proto__`, numbers beyond a double, and nesting below 64 levels.
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
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
  walk(value, '', 0, errors);
  if (errors.length > 0)
    throw new Failure('invalid', `${errors[0]!.pointer || 'body'}: ${errors[0]!.detail}`, { errors });
  if (value !== null && typeof value === 'object') checkSizes(value as Record<string, unknown>);
}

function walk(value: unknown, pointer: string, depth: number, errors: ProblemDetail[]): void {
  if (errors.length >= 20) return;
  const refuse = (code: string, detail: string) =>
    errors.push({ pointer: pointer.slice(0, 1000), code, detail });
  if (typeof value === 'string') return checkText(value, refuse);
  if (typeof value === 'number' && !Number.isFinite(value))
    return void refuse('number', 'The number is too large.');
  if (value === null || typeof value !== 'object') return;
  if (depth >= maxDepth) return void refuse('depth', `The value is nested deeper than ${maxDepth} levels.`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, `${pointer}/${index}`, depth + 1, errors);
    return;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') refuse('key', 'The key __proto__ is not allowed.');
    checkText(key, refuse);
    walk((value as Record<string, unknown>)[key], `${pointer}/${escape(key)}`, depth + 1, errors);
  }
}

function checkText(text: string, refuse: (code: string, detail: string) => unknown): void {
  if (text.includes('\0')) refuse('nul', 'The character NUL (U+0000) is not allowed.');
  else if (!text.isWellFormed()) refuse('unicode', 'A lone surrogate is not valid Unicode.');
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
