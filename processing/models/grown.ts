type Numbers = Float64Array | Float32Array | Uint32Array | Int32Array | Uint8Array;

/** The same array if it is long enough, else one of at least twice the length that begins with the same. */
export function grown<A extends Numbers>(array: A, length: number): A {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => A)(Math.max(64, length, array.length * 2));
  larger.set(array);
  return larger;
}
