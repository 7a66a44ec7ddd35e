import type { Family, InspectionContext } from '../inspector.ts';

/** The context in which the files of a folder or a zip file are inspected. */
export interface FolderContext {
  readonly families: readonly Family[];
  readonly context: InspectionContext;
  readonly isZip: boolean;
}
