import { BytesError } from '@platen/formats/bytes/bytes';
import { openZip, type ZipIndex } from '@platen/formats/zip/open-zip';
import { ZipError } from '@platen/formats/zip/zip-error';
import type { Finding, Inspecting, Inspector, Subject } from '../inspector.ts';
import type { Family } from '../inspectors.ts';
import { inspectFolder } from './inspect-folder.ts';
import { zipSubject } from './zip-subject.ts';

const about = { format: 'zip', formatTitle: 'zip archive' };

/** What a zip file or a folder holds: it asks the other families of its files, and leaves vectors to those who come last. */
export const archiveInspector =
  (families: readonly Family[]): Inspector =>
  async (subject, inspecting) => {
    const { bytes } = subject;
    if (bytes === undefined) return inspectFolder(subject, { families, inspecting, isZip: false });
    const zip = await open({ ...subject, bytes }, inspecting);
    if (zip === undefined || 'layers' in zip) return zip;
    const folder = zipSubject({ ...subject, bytes }, zip, inspecting);
    try {
      const finding = await inspectFolder(folder, { families, inspecting, isZip: true });
      return finding && { ...about, ...finding };
    } catch (error) {
      if (!(error instanceof BytesError)) throw error;
      inspecting.issues.add('brokenZip', `${subject.name}: ${error.message}.`);
      return { ...about, layers: [], uses: [] };
    }
  };

async function open(
  subject: Subject & { readonly bytes: NonNullable<Subject['bytes']> },
  { issues }: Inspecting,
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
