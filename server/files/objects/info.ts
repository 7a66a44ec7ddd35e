import type { ObjectInfo } from '@platen/contract/object-info';
import type { BucketPath } from '../buckets/operations.ts';
import type { Context } from '../../base/context.ts';
import { inspectionsOf } from './inspections.ts';
import { ofPlace } from '../used-by/in-use.ts';
import { findUses } from '../used-by/uses.ts';
import { getObject } from './operations.ts';
import { countRevisions } from './store.ts';

const maxUses = 20;

/** A file with what refers to it, or the folder of that name if there is no such file. @throws Failure `not_found` */
export async function getObjectInfo(context: Context, path: BucketPath, rawKey: string): Promise<ObjectInfo> {
  const { db } = context;
  const { projectId, dataBucketId: bucketId } = path;
  const object = await getObject(context, path, rawKey);
  const { key, sha256 } = object;
  const [uses, inspections, numberOfRevisions] = await Promise.all([
    findUses(db, ofPlace({ projectId, bucketId, key }), { limit: maxUses, page: 0 }),
    inspectionsOf(db, projectId, sha256 === undefined ? [] : [{ key, sha256 }]),
    countRevisions(db, bucketId, key),
  ]);
  const inspection = inspections.get(key);
  return {
    ...object,
    ...(numberOfRevisions !== undefined && { numberOfRevisions }),
    usedBy: uses.items,
    numberOfUses: uses.totalCount,
    ...(inspection && { inspection }),
  };
}
