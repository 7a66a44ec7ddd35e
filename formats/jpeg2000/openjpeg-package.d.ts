/** The parts of OpenJPEG's build that are used; it comes without types. */
declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  export interface J2KDecoder {
    /** Memory for so many bytes of a codestream. */
    getEncodedBuffer(length: number): Uint8Array;
    decode(): void;
    getFrameInfo(): {
      readonly width: number;
      readonly height: number;
      readonly bitsPerSample: number;
      readonly componentCount: number;
      readonly isSigned: boolean;
    };
    /** A view of memory that the next call may move. Components of a pixel are adjacent; 2 bytes for more than 8 bits. */
    getDecodedBuffer(): Uint8Array;
    delete(): void;
  }
  export interface OpenJpeg {
    readonly J2KDecoder: new () => J2KDecoder;
  }
  const open: (options: { print(text: string): void; printErr(text: string): void }) => Promise<OpenJpeg>;
  export default open;
}

/** With the encoder, which only tests use. */
declare module '@cornerstonejs/codec-openjpeg/wasmjs' {
  interface J2KEncoder {
    getDecodedBuffer(form: {
      readonly width: number;
      readonly height: number;
      readonly bitsPerSample: number;
      readonly componentCount: number;
      readonly isSigned: boolean;
    }): Uint8Array;
    setDecompositions(count: number): void;
    setQuality(isLossless: boolean, quality: number): void;
    encode(): void;
    getEncodedBuffer(): Uint8Array;
    delete(): void;
  }
  const open: (options: {
    print(text: string): void;
    printErr(text: string): void;
  }) => Promise<{ readonly J2KEncoder: new () => J2KEncoder }>;
  export default open;
}
