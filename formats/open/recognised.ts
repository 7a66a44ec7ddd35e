import type { SourceFault } from '../source/source.ts';

/** The recognised type of a file. */
export type Recognised =
  /** One of sourceFormats can read it. */
  | { readonly is: 'data'; readonly format: string }
  | { readonly is: 'archive'; readonly packing: 'gzip' | 'zip' }
  /** A companion that needs the .shp. */
  | { readonly is: 'companion'; readonly title: string; readonly message: string }
  /** Known, but nothing to read features from; the message says what to do. */
  | {
      readonly is: 'other';
      readonly code: Extract<SourceFault, 'unsupported' | 'notRecognised'>;
      /** `a PDF document` */
      readonly title: string;
      readonly message: string;
    };

export function data(format: string): Recognised {
  return { is: 'data', format };
}

/** @param advice what to do instead, as the second half of a sentence that begins with the title */
export function unsupported(title: string, advice: string): Recognised {
  return { is: 'other', code: 'unsupported', title, message: `it is ${title}: ${advice}` };
}

export function notRecognised(title: string, advice: string): Recognised {
  return { is: 'other', code: 'notRecognised', title, message: `it is ${title}: ${advice}` };
}

export function companion(title: string): Recognised {
  const message = `it is ${title} without the .shp: upload the .shp with its .dbf, .shx and .prj, preferably in one zip file`;
  return { is: 'companion', title, message };
}
