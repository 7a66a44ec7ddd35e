/** Why an image cannot be decoded or encoded. The message is a sentence without the name of the image. */
export class ImageError extends Error {
  readonly code: 'damaged' | 'tooLarge' | 'tooSlow' | 'unsupported';

  constructor(code: ImageError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImageError';
    this.code = code;
  }
}

/** Translates what sharp throws. */
export function imageErrorOf(error: unknown): ImageError {
  if (error instanceof ImageError) return error;
  const [line = ''] = String((error as Error).message).split('\n');
  if (/pixel limit/.test(line))
    return new ImageError('tooLarge', 'The image has too many pixels.', { cause: error });
  if (/timeout/.test(line))
    return new ImageError('tooSlow', 'The image takes too long to be worked on.', { cause: error });
  return new ImageError('damaged', `The pixels of the image cannot be read (${line.slice(0, 200)}).`, {
    cause: error,
  });
}
