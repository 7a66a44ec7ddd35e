/** The parts of Esri's decoder that are used; it comes without types. */
declare module 'lerc' {
  interface Decoded {
    readonly width: number;
    readonly height: number;
    /** Values for each pixel. */
    readonly dimCount: number;
    /** Bands that stand one behind the other, each with all values of its pixels. */
    readonly pixels: readonly ArrayLike<number>[];
    /** 0 where a pixel has no value; null: all have one. */
    readonly mask: Uint8Array | null | undefined;
  }
  const lerc: {
    decode(file: ArrayBuffer, options: { readonly returnPixelInterleavedDims: boolean }): Decoded;
  };
  export default lerc;
}
