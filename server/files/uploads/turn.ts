import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure, notFound } from '../../base/failure.ts';
import { untilNotified } from '../../base/database/until-notified.ts';
import type { UploadRow } from './store.ts';

/** A process that has died or lost the database blocks others for this time. */
const leaseMs = 6000;
const renewMs = 2000;
/** A writer needs this time to stop. */
const marginMs = 1000;
const lookEveryMs = 500;
const lease = sql`now() + ${`${leaseMs} milliseconds`}::interval`;

/** The right to write to an upload, which one request at a time has, over all replicas. */
export interface Turn<Row extends UploadRow = UploadRow> {
  readonly upload: Row;
  /** Aborts when a later request wants to write, or when it can no longer be known that none does. */
  readonly signal: AbortSignal;
  /** `received`: how many bytes there are now, where that is known. */
  end(received?: number): Promise<void>;
}

/**
 * Ends the current writer and waits for it: the latest request wins, as its client has abandoned the others.
 * @param which - SQL condition that holds for this upload only, and only where the caller may write to it
 * @throws Failure `not_found`, or `conflict` if a still later request arrived
 */
export async function takeTurn<Row extends UploadRow>(
  context: Context,
  which: RawBuilder<unknown>,
  signal: AbortSignal,
): Promise<Turn<Row>> {
  const upload = await drawTurn<Row>(context, which);
  if (!upload) throw notFound('upload');
  if (upload.writing === upload.turn) return hold(context, upload);
  await notify(context.db, 'uploadTurn', `${upload.id} ${upload.turn}`);
  for (;;) {
    const waiting = untilNotified(context.notifications, 'uploadTurn', { ms: leaseMs, signal });
    try {
      const notified = waiting.next((payload) => payload === '' || payload.startsWith(upload.id));
      const now = await claim(context.db, upload);
      if (now.turn > upload.turn) throw superseded();
      if (now.writing === upload.turn) return hold(context, now);
      await notified;
    } finally {
      waiting.end();
    }
    signal.throwIfAborted();
  }
}

async function drawTurn<Row extends UploadRow>(
  { db, now, settings }: Context,
  which: RawBuilder<unknown>,
): Promise<Row | undefined> {
  const at = now();
  const expires = new Date(at.getTime() + settings.uploadLifetimeMs);
  const { rows } = await sql<Row>`
    update upload set turn = turn + 1, expires_at = ${expires},
      writing = case when writing_until > now() then writing else turn + 1 end,
      writing_until = case when writing_until > now() then writing_until else ${lease} end
    where ${which} and expires_at > ${at}
    returning *`.execute(db);
  return rows[0];
}

async function claim<Row extends UploadRow>(db: Db, { id, turn }: Row): Promise<Row> {
  await sql`update upload set writing = turn, writing_until = ${lease}
    where id = ${id} and turn = ${turn} and (writing_until is null or writing_until <= now())`.execute(db);
  const { rows } = await sql<Row>`select * from upload where id = ${id}`.execute(db);
  if (!rows[0]) throw notFound('upload');
  return rows[0];
}

function hold<Row extends UploadRow>({ db, notifications }: Context, upload: Row): Turn<Row> {
  const { id, turn } = upload;
  const ending = new AbortController();
  const off = notifications.on('uploadTurn', (payload) => {
    const [uploadId, later] = payload.split(' ');
    if (uploadId === id && Number(later) > turn) ending.abort(superseded());
  });
  let renewedAt = performance.now();
  let isRenewing = false;
  const renew = async () => {
    isRenewing = true;
    const started = performance.now();
    try {
      const row = await renewLease(db, upload);
      if (!row || row.turn > turn) ending.abort(row ? superseded() : notFound('upload'));
      renewedAt = started;
    } catch {
      // tried again for as long as the lease lasts
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => {
    const ageMs = performance.now() - renewedAt;
    // also while a renewal hangs: others may take the turn soon
    if (ageMs > leaseMs - marginMs) ending.abort(outOfTouch());
    else if (ageMs > renewMs && !isRenewing) void renew();
  }, lookEveryMs);
  return {
    upload,
    signal: ending.signal,
    async end(received) {
      clearInterval(timer);
      off();
      const row = await giveUp(db, upload, received);
      if (row && row.turn > turn) await notify(db, 'uploadTurn', id);
    },
  };
}

async function renewLease(db: Db, { id, turn }: UploadRow): Promise<{ turn: number } | undefined> {
  const { rows } = await sql<{ turn: number }>`
    update upload set writing_until = ${lease} where id = ${id} and writing = ${turn} returning turn`.execute(
    db,
  );
  return rows[0];
}

async function giveUp(
  db: Db,
  { id, turn }: UploadRow,
  received: number | undefined,
): Promise<{ turn: number } | undefined> {
  const { rows } = await sql<{ turn: number }>`
    update upload set writing = null, writing_until = null, received = coalesce(${received ?? null}::bigint, received)
    where id = ${id} and writing = ${turn} returning turn`.execute(db);
  return rows[0];
}

export function superseded(): Failure {
  return new Failure(
    'conflict',
    'A later request has taken over this upload. Only one request at a time can write to it.',
  );
}

function outOfTouch(): Failure {
  const text = 'The database does not answer. Send HEAD for the offset to resume at.';
  return new Failure('unavailable', text, { retryAfterSeconds: 2 });
}
