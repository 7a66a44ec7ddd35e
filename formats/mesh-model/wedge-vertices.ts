/** Numbers pairs of a position and image coordinates in the order in which they are first seen. */
export class WedgeVertices {
  #table = new Int32Array(1024).fill(-1);
  #first: number[] = [];
  #second: number[] = [];

  get count(): number {
    return this.#first.length;
  }

  firstOf(vertex: number): number {
    return this.#first[vertex]!;
  }

  secondOf(vertex: number): number {
    return this.#second[vertex]!;
  }

  numberOf(first: number, second: number): number {
    const mask = this.#table.length - 1;
    let slot = hash(first, second) & mask;
    for (;;) {
      const vertex = this.#table[slot]!;
      if (vertex < 0) break;
      if (this.#first[vertex] === first && this.#second[vertex] === second) return vertex;
      slot = (slot + 1) & mask;
    }
    this.#table[slot] = this.#first.length;
    this.#first.push(first);
    this.#second.push(second);
    if (this.#first.length * 2 > this.#table.length) this.#grow();
    return this.#first.length - 1;
  }

  #grow(): void {
    this.#table = new Int32Array(this.#table.length * 4).fill(-1);
    const mask = this.#table.length - 1;
    for (let vertex = 0; vertex < this.#first.length; vertex++) {
      let slot = hash(this.#first[vertex]!, this.#second[vertex]!) & mask;
      while (this.#table[slot]! >= 0) slot = (slot + 1) & mask;
      this.#table[slot] = vertex;
    }
  }
}

const hash = (a: number, b: number): number => {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
};
