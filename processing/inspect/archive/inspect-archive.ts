import { BytesError } from '@platen/formats/bytes/bytes';
import { openZip, type ZipIndex } from '@platen/formats/zip/open-zip';
import { ZipError } from '@platen/formats/zip/zip-error';
import type { Family, Finding, InspectionContext, Inspector, Subject } from '../inspector.ts';
import { inspectFolder } from './inspect-folder.ts';
import { zipSubject } from './zip-subject.ts';

const about = { format: 'zip', formatTitle: 'zip archive' };

/**
 * Inspects the contents of a zip file or a folder with the other families. Vector data is left to a later inspector.
 */
export const archiveInspector =
  (families: readonly Family[]): Inspector =>
  async (subject, context) => {
    const { bytes } = subject;
    if (bytes === undefined) return inspectFolder(subject, { families, context, isZip: false });
    const zip = await open({ ...subject, bytes }, context);
    if (zip === undefined || 'layers' in zip) return zip;
    const folder = zipSubject({ ...subject, bytes }, zip, context);
    try {
      const finding = await inspectFolder(folder, { families, context, isZip: true });
      return finding && { ...about, ...finding };
    } catch (error) {
      if (!(error instanceof BytesError)) throw error;
      context.issues.add('brokenZip', `${subject.name}: ${error.message}.`);
      return { ...about, layers: [], uses: [] };
    }
  };

async function open(
  subject: Subject & { readonly bytes: NonNullable<Subject['bytes']> },
  { issues }: InspectionContext,
): Promise<ZipIndex | Finding | undefined> {
  const magic = Buffer.from(await subject.bytes.read(0, 4)).toString('latin1');
  if (magic !== 'PK\x03\x04' && magic !== 'PK\x05\x06') return undefined;
  try {
    return await openZip(subject.bytes);
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    issues.add(
      'brokenZip',
      `${subject.name}: ${error.message}. Make the zip file again, or upload what is in it.`,
    );
    return { ...about, layers: [], uses: [] };
  }
}
