import type { Socket } from 'node:net';
import pg from 'pg';

/** A named prepared statement. */
export interface Lookup {
  readonly name: string;
  readonly text: string;
}

/** Short reads by key that nearly every request makes. They share a connection, so none may be slow. */
export interface Lookups {
  /** The first row; undefined if there is none. */
  find<Row>(lookup: Lookup, values: readonly unknown[]): Promise<Row | undefined>;
  close(): Promise<void>;
}

/**
 * Pipelines lookups over one connection without waiting for earlier results, and sends those of one turn of the event
 * loop in one packet. Connects on first use, and reconnects after a failure.
 */
export function openLookups(url: string): Lookups {
  let opening: Promise<pg.Client> | undefined;
  let isPacking = false;

  const open = (): Promise<pg.Client> => {
    if (opening) return opening;
    const mine = connect(url, () => {
      if (opening === mine) opening = undefined;
    });
    opening = mine;
    return mine;
  };

  const packTurn = (client: pg.Client): void => {
    if (isPacking) return;
    isPacking = true;
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.cork();
    setImmediate(() => {
      isPacking = false;
      stream.uncork();
    });
  };

  return {
    async find<Row>({ name, text }: Lookup, values: readonly unknown[]) {
      const client = await open();
      packTurn(client);
      const { rows } = await client.query({ name, text, values: [...values] });
      return rows[0] as Row | undefined;
    },
    async close() {
      const client = await opening?.catch(() => undefined);
      await client?.end();
    },
  };
}

async function connect(url: string, onGone: () => void): Promise<pg.Client> {
  const options = { connectionString: url, application_name: 'platen lookups', pipeline: true };
  // a lookup that hangs would block all others
  const limits = { connectionTimeoutMillis: 10_000, statement_timeout: 5_000, query_timeout: 10_000 };
  const client = new pg.Client({ ...options, ...limits });
  client.on('error', onGone).on('end', onGone);
  try {
    await client.connect();
  } catch (error) {
    onGone();
    throw error;
  }
  return client;
}
