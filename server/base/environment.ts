/** Variables with secrets. */
const secretNames = [
  'DATABASE_URL',
  'PLATEN_ADMIN_PASSWORD',
  'PLATEN_ENROLMENT_TOKEN',
  'PLATEN_SECRET_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
];

/**
 * The environment at the start. Loading this module removes the secrets from that of the process, so that neither code
 * that reads it later nor a child process has them.
 */
export const environment: NodeJS.ProcessEnv = { ...process.env };

for (const name of secretNames) delete process.env[name];
