import type { App } from '@platen/contract/apps';
import type { ProblemDetail } from '@platen/contract/error';
import type { Module } from '@platen/contract/modules';
import type { Db } from '../base/database/database.ts';
import { findGoneAttributes } from './releases/find-gone-attributes.ts';
import { findUnattributed } from './releases/find-unattributed.ts';
import { findWarnings } from './warnings.ts';

/** What those who publish the modules of an app should know; it changes with the data as well. */
export const findPublishingWarnings = async (
  tx: Db,
  app: App,
  modules: readonly Module[],
): Promise<ProblemDetail[]> => [
  ...(await findWarnings(tx, app)),
  ...(await findUnattributed(tx, app.projectId, modules)),
  ...(await findGoneAttributes(tx, app.projectId, modules)),
];
