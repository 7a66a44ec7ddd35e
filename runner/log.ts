export type Log = (
  level: 'info' | 'warning' | 'error',
  message: string,
  data?: Readonly<Record<string, unknown>>,
) => void;

/** Writes one line of JSON per entry. Tokens are never logged. */
export const logToStderr: Log = (level, message, data) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...data })}\n`);
};
