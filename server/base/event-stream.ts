/** The event stream of one client, independent of the transport. */
export interface EventStream {
  readonly isOpen: boolean;
  /** Resolves when the client can receive more or has disconnected. Wait for it, so as not to buffer in memory. */
  write(text: string): Promise<void>;
  /** Ends at once, even if the client does not read. */
  end(): void;
}

/** Formats a server-sent event. The client sends the id of the last one when it reconnects. */
export function frame(event: string, data: unknown, id?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`;
}
