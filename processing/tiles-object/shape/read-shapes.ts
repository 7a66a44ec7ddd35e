import { closeSync, openSync } from 'node:fs';
import type { AttributeValue } from '@platen/formats/city-object/city-object';
import { readAll } from '@platen/formats/bytes/file-appender';
import type { FileRange } from '../../kit/scratch-file.ts';
import { readNames, type ReadNames } from './name-lists.ts';
import { prismTriangles } from './prism.ts';
import {
  alignedTo,
  contentBytes,
  countWords,
  headWords,
  isPrism,
  meshAt,
  ownDoubles,
  prismWords,
  type Counts,
} from './shape-layout.ts';
import type { MeshForm, Prism, PrismForm, Representation, Shape, ShapeMesh } from './shape.ts';

/** The part of a shape that has a representation and what is coarser. */
export function rangeFrom({ range, representations, ends }: StoredShape, finest: Representation): FileRange {
  const { path, start } = range;
  return { path, start, end: start + ends[representations.indexOf(finest)]! };
}

/** Bytes of a file, in each of the ways in which they are looked at. */
interface Views {
  readonly text: Buffer;
  readonly words: Uint32Array<ArrayBuffer>;
  readonly floats: Float32Array<ArrayBuffer>;
  readonly doubles: Float64Array<ArrayBuffer>;
}

const viewsOf = (buffer: ArrayBuffer): Views => ({
  text: Buffer.from(buffer),
  words: new Uint32Array(buffer, 0, Math.floor(buffer.byteLength / 4)),
  floats: new Float32Array(buffer, 0, Math.floor(buffer.byteLength / 4)),
  doubles: new Float64Array(buffer, 0, Math.floor(buffer.byteLength / 8)),
});

type Text = readonly [id: string, name: string, looks: Shape['looks'], values: readonly AttributeValue[]];

/** A shape of a file. Most tiles draw few of those that they choose from: the rest is read when it is asked for. */
export class StoredShape implements Shape {
  readonly representations: readonly Representation[];
  readonly goneError: number;
  readonly range: FileRange;
  /** Of its attributes; the same array for all shapes of a file that have the same. */
  readonly names: readonly string[];
  /** Bytes up to the end of each representation. */
  readonly ends: readonly number[];
  readonly #views: Views;
  /** The first of its own doubles. */
  readonly #own: number;
  readonly #textStart: number;
  readonly #textEnd: number;
  #text: Text | undefined;

  /** @param from, end of the shape in the views */
  constructor(
    views: Views,
    [from, end]: readonly [number, number],
    { range, names }: Pick<StoredShape, 'range' | 'names'>,
  ) {
    const { words, doubles } = views;
    const [textBytes, count] = [words[from / 4 + 4]!, words[from / 4 + 5]!];
    const firstCount = from / 4 + headWords;
    const own = (firstCount + countWords * count) / 2;
    this.#views = views;
    this.#own = own;
    this.#textStart = (own + ownDoubles + count) * 8;
    this.#textEnd = this.#textStart + textBytes;
    let at = alignedTo(this.#textEnd, 4);
    const representations: Representation[] = [];
    const ends: number[] = [];
    for (let i = count - 1; i >= 0; i--) {
      const word = firstCount + i * countWords;
      const counts: Counts = [words[word]!, words[word + 1]!, words[word + 2]!, words[word + 3]!];
      const next = at + contentBytes(counts);
      if (next > end) break; // it was left out
      const error = doubles[own + ownDoubles + i]!;
      const Stored = counts[3] === isPrism ? StoredPrism : StoredMesh;
      representations.push(new Stored(error, views, { counts, at }));
      ends.push(next - from);
      at = next;
    }
    this.representations = representations.reverse();
    this.ends = ends.reverse();
    this.goneError = this.#double(9);
    this.range = range;
    this.names = names;
  }

  get #texts(): Text {
    return (this.#text ??= JSON.parse(
      this.#views.text.toString('utf8', this.#textStart, this.#textEnd),
    ) as Text);
  }
  get id(): string {
    return this.#texts[0];
  }
  get class(): string {
    return this.#texts[1];
  }
  get looks(): Shape['looks'] {
    return this.#texts[2];
  }
  /** Of its attributes, in the order of their names. */
  get values(): readonly AttributeValue[] {
    return this.#texts[3];
  }
  get attributes(): Shape['attributes'] {
    return new Map(this.names.map((name, i) => [name, this.values[i]!]));
  }
  get place(): Shape['place'] {
    return { lon: this.#double(0), lat: this.#double(1), height: this.#double(2) };
  }
  get region(): Shape['region'] {
    const { doubles } = this.#views;
    const at = this.#own + 3;
    return [
      doubles[at]!,
      doubles[at + 1]!,
      doubles[at + 2]!,
      doubles[at + 3]!,
      doubles[at + 4]!,
      doubles[at + 5]!,
    ];
  }
  #double(i: number): number {
    return this.#views.doubles[this.#own + i]!;
  }
}

interface Stored {
  readonly counts: Counts;
  readonly at: number;
}

/** Most tiles draw one of several. */
class StoredMesh implements MeshForm {
  readonly error: number;
  readonly #buffer: ArrayBuffer;
  readonly #stored: Stored;
  #mesh: ShapeMesh | undefined;

  constructor(error: number, { words }: Views, stored: Stored) {
    this.error = error;
    this.#buffer = words.buffer;
    this.#stored = stored;
  }
  get triangles(): number {
    return this.#stored.counts[1] / 3;
  }
  get hasImages(): boolean {
    return this.#stored.counts[3] > 0;
  }
  get mesh(): ShapeMesh {
    return (this.#mesh ??= meshAt(this.#buffer, this.#stored.at, this.#stored.counts));
  }
}

class StoredPrism implements PrismForm {
  readonly error: number;
  readonly hasImages = false;
  readonly triangles: number;
  readonly #views: Views;
  readonly #stored: Stored;

  constructor(error: number, views: Views, stored: Stored) {
    this.error = error;
    this.#views = views;
    this.#stored = stored;
    const { counts, at } = stored;
    this.triangles = prismTriangles(counts[1], counts[2] * 2, views.words[at / 4 + 2] === 1);
  }
  get prism(): Prism {
    const { counts, at } = this.#stored;
    return prismAt(this.#views, at / 4, counts);
  }
}

function prismAt({ words, floats }: Views, from: number, [vertices, indices, edges]: Counts): Prism {
  const first = from + prismWords;
  const triangles = first + 2 * vertices;
  return {
    vertices: floats.subarray(first, triangles),
    triangles: words.subarray(triangles, triangles + indices),
    edges: words.subarray(triangles + indices, triangles + indices + 2 * edges),
    bottom: floats[from]!,
    top: floats[from + 1]!,
    hasGround: words[from + 2] === 1,
    wallLook: words[from + 3]! | 0,
    roofLook: words[from + 4]! | 0,
  };
}

export function readShape(range: FileRange): Shape {
  return readShapes([range])[0]!;
}

/** Bytes between two shapes that are read along with them, as that is faster than reading twice. */
const maxGap = 1 << 14;
const maxRun = 1 << 20;

/** Shapes in the order of their ranges. What follows each other in a file is read at once. @param known grows */
export function readShapes(ranges: readonly FileRange[], known: ReadNames = new Map()): StoredShape[] {
  const shapes: StoredShape[] = [];
  let path: string | undefined;
  let file = -1;
  try {
    for (let i = 0; i < ranges.length;) {
      const first = ranges[i]!;
      let { end } = first;
      let next = i + 1;
      for (; next < ranges.length; next++) {
        const range = ranges[next]!;
        const gap = range.start - end;
        if (range.path !== first.path || gap < 0 || gap > maxGap || range.end - first.start > maxRun) break;
        ({ end } = range);
      }
      if (first.path !== path) {
        if (path !== undefined) closeSync(file);
        path = undefined;
        file = openSync(first.path, 'r');
        ({ path } = first);
      }
      const buffer = new ArrayBuffer(end - first.start);
      readAll(file, new Uint8Array(buffer), first.start);
      const views = viewsOf(buffer);
      for (; i < next; i++) {
        const range = ranges[i]!;
        const place = [range.start - first.start, range.end - first.start] as const;
        const offset = views.doubles[place[0] / 8]!;
        const names = readNames(known, { file, path: first.path, offset });
        shapes.push(new StoredShape(views, place, { range, names }));
      }
    }
    return shapes;
  } finally {
    if (path !== undefined) closeSync(file);
  }
}
