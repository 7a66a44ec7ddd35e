/** The stream of one client, by whatever it is sent. */
export interface EventStream {
  readonly isOpen: boolean;
  /** Resolves when the client has room for more, or has gone: whoever waits for that holds nothing more in memory. */
  write(text: string): Promise<void>;
  /** At once, also where the client does not read. */
  end(): void;
}

/** One event, as the HTML standard defines the format; an id is what the client sends when it comes again. */
export function frame(event: string, data: unknown, id?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`;
}
