import type { Inspector } from '../inspector.ts';
import { inspectE57 } from './inspect-e57.ts';
import { inspectLas } from './inspect-las.ts';

export const inspectPointCloud: Inspector = async (subject, context) =>
  (await inspectLas(subject, context)) ?? (await inspectE57(subject, context));
