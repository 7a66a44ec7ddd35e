import { resolve } from 'node:path';

/** Values of these keys are never disclosed, whoever set them. */
const secretKey =
  /pass(?:word|wd|phrase)|secret|token|credential|authorization|cookie|api[-_]?key|signature/i;

const installation = resolve(import.meta.dirname, '../../..');
const word = /[^\s"'“”]+/g;
const jobFolder = /\/job-\d+-[\da-f]{8}-[\da-f-]{27}(?=\/|\b)/g;
/** Quoted paths, as in the errors of Node. */
const quotedPath = /(['"`])(?:file:\/\/)?(?:\/[^'"`\n/]+)*\/([^'"`\n/]*)\1/g;
const bearer = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi;
// starts where a scheme can start, so that each character is examined once
const address = /(?<![a-z\d+.-])[a-z\d+.-]+:\/\/[^\s"'<>“”]+/gi;

/** Returns a copy without secrets and without absolute paths. @param folders folders of the service */
export function redact(value: unknown, folders: readonly string[]): unknown {
  if (typeof value === 'string') return redactText(value, folders);
  if (Array.isArray(value)) return value.map((one) => redact(one, folders));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [
    redactText(key, folders),
    secretKey.test(key) && typeof one !== 'boolean' ? '…' : redact(one, folders),
  ]);
  return Object.fromEntries(entries);
}

export function redactText(text: string, folders: readonly string[]): string {
  let result = text.replace(address, withoutSecrets).replace(bearer, '$1 …').replace(word, withoutJobFolder);
  for (const folder of [...folders, installation]) result = result.replaceAll(folder, '…');
  return result.replace(quotedPath, '$1…/$2$1');
}

/** Removes everything from a path up to and including the folder of the job. */
function withoutJobFolder(text: string): string {
  const last = [...text.matchAll(jobFolder)].at(-1);
  return last ? `${text.slice(0, text.indexOf('/'))}…${text.slice(last.index + last[0].length)}` : text;
}

/** Removes the query, which may hold a signature, and credentials before the host. */
function withoutSecrets(text: string): string {
  const bare = text.replace(/^([^:]+:\/\/)[^/?#]*@/, '$1…@');
  return bare.replace(/[?#][^]*$/, '?…');
}
