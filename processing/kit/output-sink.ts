import type { PackedMember } from '@platen/formats/zip/pack-member';
import { open3tzWriter, type WrittenMembers } from '@platen/formats/zip/write-3tz';
import { join } from 'node:path';
import { openFolderSink, type WrittenFiles } from './folder-sink.ts';

/** An archive (3TZ) is one file, however many members it has; a folder has a file for each. */
export type OutputSinkFormat = '3tz' | 'folder';

/**
 * Where a job writes many files by their paths. They are written in the scratch folder, so that the next attempt can
 * resume, and moved to the output folder when they are complete.
 */
export interface OutputSink {
  /** The path of the datasource in the output folder. */
  readonly path: string;
  readonly count: number;
  /** @throws TypeError for names that readers refuse, or that are too many for the format */
  add(member: PackedMember): void;
  /** Puts everything added so far into files. @returns plain data for a checkpoint, with which `openOutputSink` resumes */
  flush(): SinkProgress;
  /** @throws TypeError if names clash, or differ only in case */
  finish(): void;
  /** Removes everything that was written, instead of `finish`. */
  discard(): void;
}

export type SinkProgress =
  | { readonly format: '3tz'; readonly written: WrittenMembers }
  | { readonly format: 'folder'; readonly written: WrittenFiles };

export interface OutputSinkOptions {
  readonly format: OutputSinkFormat;
  /** The name of the folder; that of the archive ends with `.3tz`. */
  readonly name: string;
  readonly outputFolder: string;
  /** The folder of the checkpoint. */
  readonly scratchFolder: string;
  /** What the last `flush` that was recorded returned. */
  readonly resume?: SinkProgress | undefined;
}

export function openOutputSink({
  format,
  name,
  outputFolder,
  scratchFolder,
  resume,
}: OutputSinkOptions): OutputSink {
  if (format === 'folder') {
    const files = resume?.format === 'folder' ? resume.written : undefined;
    const sink = openFolderSink({ scratch: join(scratchFolder, `${name}.folder`), resume: files });
    return {
      path: name,
      get count() {
        return sink.count;
      },
      add: (member) => sink.add(member),
      flush: () => ({ format, written: sink.flush() }),
      finish: () => sink.finish(join(outputFolder, name)),
      discard: () => sink.discard(),
    };
  }
  const path = `${name}.3tz`;
  const members = resume?.format === '3tz' ? resume.written : undefined;
  const writer = open3tzWriter({ scratchFolder, name, resume: members });
  return {
    path,
    get count() {
      return writer.count;
    },
    add: (member) => writer.add(member),
    flush: () => ({ format, written: writer.flush() }),
    finish: () => writer.finish(join(outputFolder, path)),
    discard: () => writer.discard(),
  };
}
