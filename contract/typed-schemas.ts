import { Type, type TSchema } from 'typebox';
import { typeProperties } from './datasource-types.ts';
import { Datasource, DatasourceChange, ListedDatasource, NewDatasource } from './datasources.ts';
import { Job } from './jobs.ts';
import { CronSchedule, ImmediateSchedule, Schedule, SingleSchedule } from './schedules.ts';
import { RunChange } from './task-runs.ts';
import { NewTask, Task, TaskChange, TaskListItem, TaskWithJob } from './tasks.ts';
import { variantsOf, withField, type FieldSchemas } from './variants.ts';

/** The schemas of the parameters of all job types. */
export interface ParameterSchemas {
  /** All of them with those that they have in common, by name. */
  readonly schemas: Readonly<Record<string, TSchema>>;
  readonly byJobType: Readonly<Record<string, JobTypeSchemas>>;
}

interface JobTypeSchemas {
  readonly name: string;
  readonly schema: TSchema;
  /** Of parameters that are merged into others. */
  readonly change: TSchema;
}

export interface TypedSchemas {
  readonly schemas: Readonly<Record<string, unknown>>;
  /** By the schema with which the service checks first. */
  readonly precise: ReadonlyMap<unknown, unknown>;
}

/**
 * What the service checks in two steps, the fields and then those whose form depends on a type, is one schema for
 * clients: datasources by their type, tasks by their job type, and schedules.
 */
export function typedSchemas({ schemas: ofParameters, byJobType }: ParameterSchemas): TypedSchemas {
  const schemas: Record<string, unknown> = { ...ofParameters };
  const precise = new Map<unknown, unknown>();
  const discriminate = (name: string, schema: TSchema, fields: FieldSchemas) => {
    const variants = variantsOf(name, schema, fields);
    Object.assign(schemas, variants);
    precise.set(schema, Type.Union(Object.values(variants), descriptionOf(schema)));
  };

  const byType = Object.entries(typeProperties).map(([type, schema]) => {
    const name = type[0]!.toUpperCase() + type.slice(1);
    schemas[`${name}Properties`] = schema;
    return [type, { name, schema }] as const;
  });
  const ofDatasources = {
    discriminator: 'type',
    field: 'typeProperties',
    byValue: Object.fromEntries(byType),
  };
  discriminate('Datasource', Datasource, ofDatasources);
  discriminate('ListedDatasource', ListedDatasource, ofDatasources);
  discriminate('NewDatasource', NewDatasource, ofDatasources);
  const anyProperties = Type.Union(Object.values(typeProperties), {
    description: 'Options of the layer, by the type of the datasource',
  });
  precise.set(DatasourceChange, withField(DatasourceChange, 'typeProperties', anyProperties));

  // a stored task may have another prefix in the name of its job type
  discriminate('NewTask', NewTask, { discriminator: 'jobType', field: 'parameters', byValue: byJobType });
  const types = Object.values(byJobType);
  const description = 'Parameters of the job type';
  const stored = Type.Union(
    types.map(({ schema }) => schema),
    { description },
  );
  const change = Type.Union(
    types.map((type) => type.change),
    { description: `${description}, merged into the stored ones` },
  );
  for (const schema of [Task, TaskWithJob, TaskListItem, Job])
    precise.set(schema, withField(schema, 'parameters', stored));
  for (const schema of [TaskChange, RunChange]) precise.set(schema, withField(schema, 'parameters', change));

  const schedule = Type.Union([ImmediateSchedule, SingleSchedule, CronSchedule]);
  precise.set(Schedule, schedule);
  return { schemas, precise };
}

function descriptionOf(schema: TSchema): { description?: string } {
  const { description } = schema as { description?: string };
  return description === undefined ? {} : { description };
}
