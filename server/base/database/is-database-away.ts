const lostConnection = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

/** Whether a query failed because PostgreSQL cannot be reached, is starting or stopping, or has too many connections. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, syscall, message = '' } = error as { code?: unknown; syscall?: string; message?: string };
  const isSocketAway = code === 'ENOENT' && syscall === 'connect'; // the socket file, while PostgreSQL restarts
  if (isSocketAway || driverMessages.test(message)) return true;
  if (typeof code !== 'string') return false;
  return lostConnection.has(code) || /^(08...|57P0.|53(?!100)...)$/.test(code);
}
