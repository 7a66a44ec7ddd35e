import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJunk } from '@platen/formats/zip/member-name';
import type { Bytes } from '@platen/formats/bytes/bytes';
import { openMemberStart } from '@platen/formats/zip/member-start';
import type { ZipIndex } from '@platen/formats/zip/open-zip';
import { ZipError } from '@platen/formats/zip/zip-error';
import type { LocatedMember } from '@platen/formats/zip/zip-member';
import type { InspectionContext, LocalFile, Subject } from '../inspector.ts';

/** Larger compressed members are read from their beginning only; others are decompressed in memory. */
const maxUnpackedBytes = 64 << 20;
/** An inspector may hold one while it opens another. */
const maxUnpackedShare = 1 / 6;
const maxCopyBytes = 256 << 20;

/** Presents a zip file as a folder. */
export function zipSubject(
  { name, size, bytes }: Pick<Subject, 'name' | 'size'> & { readonly bytes: Bytes },
  zip: ZipIndex,
  { issues, scratchFolder, memoryBytes }: InspectionContext,
): Subject {
  const maxBytes = Math.min(maxUnpackedBytes, Math.floor(memoryBytes * maxUnpackedShare));
  const open = async (member: LocatedMember): Promise<Bytes> =>
    member.packing === 'deflate' && member.size > maxBytes
      ? openMemberStart(bytes, member, maxBytes)
      : zip.open(member);
  /** A damaged member becomes an issue and does not hide the others. */
  const find = async (path: string): Promise<Bytes | undefined> => {
    try {
      const member = await zip.find(path);
      return member && (await open(member));
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
      issues.add('brokenZip', `${name}: ${error.message}.`);
      return undefined;
    }
  };
  return {
    name,
    size,
    bytes: undefined,
    path: undefined,
    find,
    async list(limit) {
      const members: { name: string; size: number }[] = [];
      for await (const member of zip.list()) {
        if (isJunk(member.name)) continue;
        members.push({ name: member.name, size: member.size });
        if (members.length >= limit) break;
      }
      return members.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    async localFile(path) {
      const found = path === undefined ? undefined : await find(path);
      return found && copy(found, join(scratchFolder, nameFor(path!)));
    },
  };
}

/** Hashed, because a member's name may be too long for the file system. */
function nameFor(path: string): string {
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(path)?.[0] ?? '';
  return createHash('sha256').update(path).digest('hex').slice(0, 24) + ending;
}

async function copy(bytes: Bytes, path: string): Promise<LocalFile | undefined> {
  if (bytes.size > maxCopyBytes) return undefined;
  try {
    await writeFile(path, await bytes.read(0, bytes.size));
  } catch (error) {
    if (error instanceof ZipError) return undefined;
    throw error;
  }
  return { path, bytes: bytes.size };
}
