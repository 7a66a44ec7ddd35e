import { BytesError } from '../bytes/bytes.ts';

/** `refused`: honest archives have nothing like it, and unpacking it could do harm. */
export type ZipFault = 'damaged' | 'refused' | 'unsupported';

/** Why a zip file or one of its members cannot be read. The message follows a colon. */
export class ZipError extends BytesError {
  override readonly name = 'ZipError';
  readonly fault: ZipFault;

  constructor(fault: ZipFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
