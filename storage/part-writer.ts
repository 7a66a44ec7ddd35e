import type { PartBuffer, PartPool } from './part-pool.ts';

// Bytes that every upload may hold without the pool: most files are smaller, and hundreds of these are cheap.
const HEAD_BYTES = 128 * 1024;

/** Receives the parts of one body. */
export interface PartSink {
  /** Required size of the part of this number, from 1; only the last may be smaller. */
  sizeOf(number: number): number;
  send(number: number, bytes: Uint8Array): Promise<void>;
  /** Stores the beginning of a part, replacing what was parked before. */
  park(bytes: Uint8Array): Promise<void>;
  unpark(): Promise<Uint8Array>;
}

interface Start {
  readonly pool: PartPool;
  /** Maximum number of parts being sent at once. */
  readonly maxParallelParts: number;
  readonly signal: AbortSignal;
  /** Where an interrupted body resumes: the part number, and how many bytes of it are parked. */
  readonly number?: number;
  readonly parkedBytes?: number;
}

/**
 * Cuts a body of unknown length into parts. It holds `HEAD_BYTES` and requests a buffer from the pool only once these
 * are full: a part has to be complete before it can be sent, and hundreds of slow uploads cannot all hold one. An
 * upload that stalls while others wait parks what it has, so it cannot block them.
 */
export class PartWriter {
  readonly #target: PartSink;
  readonly #start: Start;
  readonly #head = Buffer.allocUnsafeSlow(HEAD_BYTES);
  readonly #sending = new Set<Promise<void>>();
  #headBytes = 0;
  #part: PartBuffer | undefined;
  #partBytes = 0;
  #number: number;
  #parkedBytes: number;
  #parking: Promise<void> | undefined;

  constructor(target: PartSink, start: Start) {
    this.#target = target;
    this.#start = start;
    this.#number = start.number ?? 1;
    this.#parkedBytes = start.parkedBytes ?? 0;
  }

  /** Number of the part that the remaining bytes belong to. */
  get number(): number {
    return this.#number;
  }

  /** Returns a promise only if the caller has to wait. The chunk may be overwritten afterwards. */
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

  /** Waits for all parts. Returns the rest, smaller than a part and valid until `close`. */
  async finish(): Promise<Uint8Array> {
    await this.#parking;
    if (this.#part) this.#part.onReclaim = undefined;
    if (this.#parkedBytes > 0) await this.#emptyHead();
    await Promise.all(this.#sending);
    return this.#part
      ? this.#part.bytes.subarray(0, this.#partBytes)
      : this.#head.subarray(0, this.#headBytes);
  }

  /** Releases the memory once no part is being sent any more. */
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
        const slice = chunk.subarray(at, at + HEAD_BYTES - this.#headBytes);
        this.#head.set(slice, this.#headBytes);
        this.#headBytes += slice.byteLength;
        at += slice.byteLength;
        if (this.#headBytes === HEAD_BYTES) await this.#emptyHead();
      }
    }
  }

  /** Moves the head into a part, behind its parked bytes. */
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
    part.onReclaim = () => this.#park(part);
  }

  /** @returns the number of bytes that fitted */
  #fill(bytes: Uint8Array): number {
    const { bytes: buffer } = this.#part!;
    const taken = bytes.subarray(0, buffer.length - this.#partBytes);
    buffer.set(taken, this.#partBytes);
    this.#partBytes += taken.byteLength;
    return taken.byteLength;
  }

  async #sendWhenFull(): Promise<void> {
    const part = this.#part!;
    if (this.#partBytes < part.bytes.length) return;
    part.onReclaim = undefined;
    while (this.#sending.size >= this.#start.maxParallelParts) await Promise.race(this.#sending);
    const sending = this.#target.send(this.#number, part.bytes).finally(() => part.release());
    this.#sending.add(sending);
    // A failed one stays, and callers that wait for the next one get its error.
    sending.then(
      () => this.#sending.delete(sending),
      () => {},
    );
    this.#number++;
    this.#part = undefined;
    this.#partBytes = 0;
  }

  #park(part: PartBuffer): void {
    // Parked bytes continue only behind parts that have arrived.
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
        () => {}, // then the buffer is kept
      );
    this.#parking = parking.then(() => {
      this.#parking = undefined;
    });
  }
}
