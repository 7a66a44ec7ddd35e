import type { Inspector } from '../inspector.ts';
import { inspectE57 } from './inspect-e57.ts';
import { inspectLas } from './inspect-las.ts';
import { inspectPointText } from './inspect-text.ts';

export const inspectPointCloud: Inspector = async (subject, context) =>
  (await inspectLas(subject, context)) ??
  (await inspectE57(subject, context)) ??
  (await inspectPointText(subject, context));
