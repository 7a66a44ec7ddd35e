import { resolve } from 'node:path';

/** The values of keys like these are told to nobody, whoever has put them there. */
const secretKey =
  /pass(?:word|wd|phrase)|secret|token|credential|authorization|cookie|api[-_]?key|signature/i;

const installation = resolve(import.meta.dirname, '../../..');
const word = /[^\s"'“”]+/g;
const jobFolder = /\/job-\d+-[\da-f]{8}-[\da-f-]{27}(?=\/|\b)/g;
/** As Node quotes them in its errors. */
const quotedPath = /(['"`])(?:file:\/\/)?(?:\/[^'"`\n/]+)*\/([^'"`\n/]*)\1/g;
const bearer = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi;
// not before the end of what may be a scheme: each character is looked at once
const address = /(?<![a-z\d+.-])[a-z\d+.-]+:\/\/[^\s"'<>“”]+/gi;

/** A copy without secrets, and without where things lie on this or another disk. @param folders of the service */
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

/** Of a path in it nothing is left up to the last folder of a job. */
function withoutJobFolder(text: string): string {
  const last = [...text.matchAll(jobFolder)].at(-1);
  return last ? `${text.slice(0, text.indexOf('/'))}…${text.slice(last.index + last[0].length)}` : text;
}

/** What signs an address stands in its query, who signs in before its host. */
function withoutSecrets(text: string): string {
  const bare = text.replace(/^([^:]+:\/\/)[^/?#]*@/, '$1…@');
  return bare.replace(/[?#].*$/, '?…');
}
