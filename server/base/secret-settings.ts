import { readFileSync } from 'node:fs';
import type { S3Credentials } from '@platen/storage/s3-setting';

/**
 * Reads a secret from the variable of this name, or from the file that `<name>_FILE` names, which unlike a variable
 * does not show in the process list of root and of the same user.
 * @throws Error with one clear line that contains no secret
 */
export function readSecret(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const path = env[`${name}_FILE`];
  if (!path) return env[name] || undefined;
  if (env[name]) throw new Error(`Set either ${name} or ${name}_FILE, not both.`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Error(`The file ${path} of ${name}_FILE cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (text !== '' && !/[\r\n]/.test(text)) return text;
  throw new Error(`The file ${path} of ${name}_FILE must contain one line.`);
}

/** @returns undefined without both; then the SDK looks for a profile or the role of the machine */
export function readS3Credentials(env: NodeJS.ProcessEnv): S3Credentials | undefined {
  const accessKeyId = env['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = readSecret(env, 'AWS_SECRET_ACCESS_KEY');
  const sessionToken = readSecret(env, 'AWS_SESSION_TOKEN');
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

/** Anyone who guesses this token receives jobs with their data, so it must be long. */
export function readEnrolmentToken(env: NodeJS.ProcessEnv): string | undefined {
  const value = readSecret(env, 'PLATEN_ENROLMENT_TOKEN');
  if (value === undefined || value.length >= 24) return value;
  throw new Error(
    'PLATEN_ENROLMENT_TOKEN must have at least 24 characters. “openssl rand -hex 24” generates one.',
  );
}
