import { viewOf } from '../../bytes/read-exactly.ts';
import type { ArithmeticDecoder } from './arithmetic-decoder.ts';
import { IntegerDecoder } from './integer-decoder.ts';
import type { ModelArena } from './model-arena.ts';

/** LASzip's coding of wave packets in the formats 4 and 5 (WAVEPACKET13 version 1). */
export class WavePacketDecoder {
  private readonly index: number;
  private readonly kinds: readonly number[];
  private readonly offsets: IntegerDecoder;
  private readonly sizes: IntegerDecoder;
  private readonly places: IntegerDecoder;
  private readonly parameters: IntegerDecoder;
  private lastKind = 0;
  private lastDifference = 0;

  constructor(models: ModelArena) {
    this.index = models.symbols(256);
    this.kinds = Array.from({ length: 4 }, () => models.symbols(4));
    this.offsets = new IntegerDecoder(models, 32, 1);
    this.sizes = new IntegerDecoder(models, 32, 1);
    this.places = new IntegerDecoder(models, 32, 1);
    this.parameters = new IntegerDecoder(models, 32, 3);
  }

  /** Reads the packet of 29 bytes at `at`, after the one of the point before. */
  read(decoder: ArithmeticDecoder, records: Uint8Array, at: number, recordLength: number): void {
    const view = viewOf(records);
    const before = at - recordLength;
    records[at] = decoder.symbol(this.index);
    this.lastKind = decoder.symbol(this.kinds[this.lastKind]!);
    const offset = view.getBigUint64(before + 1, true);
    const size = view.getInt32(before + 9, true);
    let next = offset;
    if (this.lastKind === 1) next = offset + BigInt(size >>> 0);
    else if (this.lastKind === 2) {
      this.lastDifference = this.offsets.read(decoder, this.lastDifference, 0);
      next = offset + BigInt(this.lastDifference);
    } else if (this.lastKind === 3) {
      const low = decoder.raw(32) >>> 0;
      next = (BigInt(decoder.raw(32) >>> 0) << 32n) | BigInt(low);
    }
    view.setBigUint64(at + 1, BigInt.asUintN(64, next), true);
    view.setInt32(at + 9, this.sizes.read(decoder, size, 0), true);
    view.setInt32(at + 13, this.places.read(decoder, view.getInt32(before + 13, true), 0), true);
    for (let i = 0; i < 3; i++) {
      const place = 17 + i * 4;
      view.setInt32(at + place, this.parameters.read(decoder, view.getInt32(before + place, true), i), true);
    }
  }
}
