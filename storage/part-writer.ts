import type { PartBuffer, PartPool } from './part-pool.ts';

// What everybody may hold without asking: most files are smaller, and hundreds of these are little.
const HEAD_BYTES = 128 * 1024;

/** Where the parts of one body go. */
export interface PartsTarget {
  /** How large the part of this number, from 1, has to be; only the last may be smaller. */
  sizeOf(number: number): number;
  send(number: number, bytes: Uint8Array): Promise<void>;
  /** Puts the beginning of a part aside, in place of what was put aside before. */
  park(bytes: Uint8Array): Promise<void>;
  unpark(): Promise<Uint8Array>;
}

interface Start {
  readonly pool: PartPool;
  /** So many parts are on their way at once, at most. */
  readonly lanes: number;
  readonly signal: AbortSignal;
  /** Where an interrupted body goes on: at which part, with how many bytes of it parked. */
  readonly number?: number;
  readonly parkedBytes?: number;
}

/**
 * Cuts a body of unknown length into parts. It holds `HEAD_BYTES`, and asks the pool for a buffer only once these are
 * full: a part has to be whole before it can be sent, and hundreds of slow uploads cannot all hold one. One that stalls
 * while others wait parks what it has, so nobody can hold up the others.
 */
export class PartWriter {
  readonly #target: PartsTarget;
  readonly #start: Start;
  readonly #head = Buffer.allocUnsafeSlow(HEAD_BYTES);
  readonly #sending = new Set<Promise<void>>();
  #headBytes = 0;
  #part: PartBuffer | undefined;
  #partBytes = 0;
  #number: number;
  #parkedBytes: number;
  #parking: Promise<void> | undefined;

  constructor(target: PartsTarget, start: Start) {
    this.#target = target;
    this.#start = start;
    this.#number = start.number ?? 1;
    this.#parkedBytes = start.parkedBytes ?? 0;
  }

  /** The number of the part that the rest belongs to. */
  get number(): number {
    return this.#number;
  }

  /** Returns a promise only when the caller has to wait. The chunk may be written to again afterwards. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#parking) return this.#addSlowly(chunk);
    if (this.#part) {
      if (this.#partBytes + chunk.byteLength >= this.#part.bytes.length) return this.#addSlowly(chunk);
      this.#part.bytes.set(chunk, this.#partBytes);
      this.#partBytes += chunk.byteLength;
    } else {
      if (this.#headBytes + chunk.byteLength >= HEAD_BYTES) return this.#addSlowly(chunk);
      this.#head.set(chunk, this.#headBytes);
      this.#headBytes += chunk.byteLength;
    }
    return undefined;
  }

  /** Waits for all parts. What is left is smaller than one, and valid until `close`. */
  async finish(): Promise<Uint8Array> {
    await this.#parking;
    if (this.#part) this.#part.onWanted = undefined;
    if (this.#parkedBytes > 0) await this.#emptyHead();
    await Promise.all(this.#sending);
    return this.#part
      ? this.#part.bytes.subarray(0, this.#partBytes)
      : this.#head.subarray(0, this.#headBytes);
  }

  /** Once nothing of it is on its way any more, whatever became of it, gives the memory back. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#sending, this.#parking]);
    this.#part?.release();
    this.#part = undefined;
  }

  async #addSlowly(chunk: Uint8Array): Promise<void> {
    await this.#parking;
    for (let at = 0; at < chunk.byteLength;) {
      if (this.#part) {
        at += this.#fill(chunk.subarray(at));
        await this.#sendWhenFull();
      } else {
        const piece = chunk.subarray(at, at + HEAD_BYTES - this.#headBytes);
        this.#head.set(piece, this.#headBytes);
        this.#headBytes += piece.byteLength;
        at += piece.byteLength;
        if (this.#headBytes === HEAD_BYTES) await this.#emptyHead();
      }
    }
  }

  /** Moves the head into a part, behind what is parked of it. */
  async #emptyHead(): Promise<void> {
    await this.#takePart();
    for (let at = 0; at < this.#headBytes;) {
      if (!this.#part) await this.#takePart();
      at += this.#fill(this.#head.subarray(at, this.#headBytes));
      await this.#sendWhenFull();
    }
    this.#headBytes = 0;
  }

  async #takePart(): Promise<void> {
    const part = await this.#start.pool.take(this.#target.sizeOf(this.#number), this.#start.signal);
    try {
      const parked = this.#parkedBytes > 0 ? await this.#target.unpark() : [];
      part.bytes.set(parked);
      this.#partBytes = parked.length;
    } catch (error) {
      part.release();
      throw error;
    }
    this.#parkedBytes = 0;
    this.#part = part;
    part.onWanted = () => this.#park(part);
  }

  /** @returns how many of the bytes there was room for */
  #fill(bytes: Uint8Array): number {
    const { bytes: buffer } = this.#part!;
    const piece = bytes.subarray(0, buffer.length - this.#partBytes);
    buffer.set(piece, this.#partBytes);
    this.#partBytes += piece.byteLength;
    return piece.byteLength;
  }

  async #sendWhenFull(): Promise<void> {
    const part = this.#part!;
    if (this.#partBytes < part.bytes.length) return;
    part.onWanted = undefined;
    while (this.#sending.size >= this.#start.lanes) await Promise.race(this.#sending);
    const sending = this.#target.send(this.#number, part.bytes).finally(() => part.release());
    this.#sending.add(sending);
    // One that failed stays, and whoever waits for the next one hears of it.
    sending.then(
      () => this.#sending.delete(sending),
      () => {},
    );
    this.#number++;
    this.#part = undefined;
    this.#partBytes = 0;
  }

  #park(part: PartBuffer): void {
    // What is parked goes on behind parts that have arrived, and behind no others.
    const sent = Promise.all(this.#sending);
    const parking = sent
      .then(() => this.#target.park(part.bytes.subarray(0, this.#partBytes)))
      .then(
        () => {
          this.#parkedBytes = this.#partBytes;
          this.#part = undefined;
          this.#partBytes = 0;
          part.release();
        },
        () => {}, // then it is kept after all
      );
    this.#parking = parking.then(() => {
      this.#parking = undefined;
    });
  }
}
