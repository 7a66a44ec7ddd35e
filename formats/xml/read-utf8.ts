import { open } from 'node:fs/promises';
import { readChunks } from '../bytes/read-chunks.ts';
import { SourceError, type SourceFile } from '../source/source.ts';
import { detectEncoding } from './detect-encoding.ts';

/** The name of the encoding an XML file is in, as TextDecoder has it. @throws SourceError unknownEncoding */
export async function encodingOf(file: SourceFile): Promise<string> {
  const handle = await open(file.path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    const head = buffer.subarray(0, bytesRead);
    const detected = detectEncoding(head);
    // A byte order mark and the zero bytes of UTF-16 take precedence over a declared encoding.
    const sure = detected.startsWith('utf-16') || head[0] === 0xef;
    const label = sure ? detected : (file.encoding ?? detected);
    try {
      return new TextDecoder(label).encoding;
    } catch {
      throw new SourceError(
        'unknownEncoding',
        `the encoding ${JSON.stringify(label.slice(0, 40))} is unknown: select its actual encoding, or save the file as UTF-8`,
        { byte: 0 },
      );
    }
  } finally {
    await handle.close();
  }
}

export interface ByteRange {
  readonly start: number;
  /** Exclusive; undefined to the end. */
  readonly end: number | undefined;
}

/**
 * Streams the text of a file, or a range of it, in UTF-8. Ranges require a file in UTF-8. Each chunk is only valid until the
 * next, as with readChunks.
 */
export async function* readUtf8(
  file: SourceFile,
  encoding: string,
  { start, end = Infinity }: ByteRange = { start: 0, end: undefined },
): AsyncGenerator<Uint8Array, void> {
  if (encoding === 'utf-8') {
    yield* readChunks(file.path, { start, end });
    return;
  }
  let at = 0;
  for await (const chunk of transcode(file, encoding)) {
    if (at >= end) return;
    yield chunk.subarray(Math.max(0, start - at), Math.max(0, Math.min(chunk.length, end - at)));
    at += chunk.length;
  }
}

async function* transcode(file: SourceFile, encoding: string): AsyncGenerator<Uint8Array, void> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let read = 0;
  const decode = (chunk?: Uint8Array): Uint8Array => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch (error) {
      const message = `the text is not in the encoding ${encoding}, with which it is read: select its actual encoding`;
      throw new SourceError('unknownEncoding', message, { byte: read }, { cause: error });
    }
  };
  for await (const chunk of readChunks(file.path)) {
    yield decode(chunk);
    read += chunk.length;
  }
  yield decode();
}
