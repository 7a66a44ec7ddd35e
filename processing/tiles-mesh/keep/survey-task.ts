import { reportToPool } from '../../kit/serve-tasks.ts';
import { keepsValuesOf, seeAttributes, type AttributeFacts } from '../../models/attribute-facts.ts';
import { readFeatures } from '../../models/tilesets/read-tile-file.ts';
import { faultOf } from '../read-task.ts';
import type { Setup, SurveyAnswer } from '../tasks.ts';

/** Sees the attributes of a content, whose types are decided for all of them together. */
export async function surveyTask({ models, sides }: Setup, model: number): Promise<SurveyAnswer> {
  const file = models[model]!;
  const facts: AttributeFacts = new Map();
  const answer = { kind: 'survey', model, facts, features: 0, failure: undefined } as const;
  try {
    // what is left out is told when the content is converted
    const rows = await readFeatures({ ...file, tile: file.tile! }, { sides, onNotice: () => {} });
    const seen = { facts, keepsValues: keepsValuesOf(model, models.length) };
    for (const row of rows) seeAttributes(seen, row);
    reportToPool({ bytes: file.size });
    return { ...answer, features: rows.length };
  } catch (error) {
    return { ...answer, failure: faultOf(error, file.name) };
  }
}
