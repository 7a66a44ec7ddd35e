import { SourceError } from '../source/source.ts';
import { detectEncoding } from '../xml/detect-encoding.ts';

/** XML in whatever encoding, in UTF-8. @throws SourceError unknownEncoding */
export async function* utf8Chunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) decoder = decoderFor(detectEncoding(chunk));
    isFirst = false;
    yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(label);
    return decoder.encoding === 'utf-8' ? undefined : decoder;
  } catch {
    const message = `the encoding ${JSON.stringify(label.slice(0, 40))} is unknown: save the file as UTF-8`;
    throw new SourceError('unknownEncoding', message, { byte: 0 });
  }
}
