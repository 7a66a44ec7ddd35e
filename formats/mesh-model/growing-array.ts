type Numbers = Float64Array | Int32Array | Float32Array | Uint32Array | Uint8Array;

/** A typed array that numbers are appended to. */
export class GrowingArray<A extends Numbers> {
  #values: A;
  length = 0;

  /** One that begins with these numbers. */
  static of<A extends Numbers>(values: A): GrowingArray<A> {
    const array = new GrowingArray(values);
    array.length = values.length;
    return array;
  }

  constructor(initial: A) {
    this.#values = initial;
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const Kind = this.#values.constructor as new (length: number) => A;
      const larger = new Kind(Math.max(64, this.length * 2));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  /** All numbers so far. Do not change them. */
  view(): A {
    return this.#values.subarray(0, this.length) as A;
  }

  /** All numbers, in an array of their own. */
  finish(): A {
    return this.#values.slice(0, this.length) as A;
  }
}
