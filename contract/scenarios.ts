import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { ForMember } from './modules.ts';
import {
  change,
  Deleted,
  Description,
  filter,
  FreeForm,
  Id,
  listQuery,
  Name,
  page,
  stampFilters,
  stamps,
  strict,
} from './schema.ts';

const fields = {
  name: Name,
  description: Description,
  properties: FreeForm,
  config: { ...FreeForm, description: 'Settings of clients that show the scenario; kept verbatim' },
  public: Type.Boolean({
    description: 'A mark for clients. It gives nobody access: what everyone may see is decided by apps',
  }),
  moduleIds: Type.Array(Id, { maxItems: 1000, description: 'Modules of the project, ordered' }),
};

const appId = Type.Optional(
  Type.Union([Id, Type.Null()], { description: 'The app it is a variant of; null for none' }),
);

const serviceSet = {
  ...stamps,
  projectId: Id,
  publishTaskIds: Type.Array(Id),
  memberId: Type.String({
    description: 'The user whose permissions are used to read modules and data; checked at each request',
  }),
};

/** A planning variant: modules that belong together. */
export const Scenario = Type.Object({ ...fields, appId: Type.Optional(Id), ...serviceSet });
export type Scenario = Static<typeof Scenario>;

export const NewScenario = strict({ ...Type.Partial(Type.Object(fields)).properties, name: Name, appId });
export type NewScenario = Static<typeof NewScenario>;

export const ScenarioChange = change({ ...fields, appId }, serviceSet);
export type ScenarioChange = Static<typeof ScenarioChange>;

export const ScenarioListQuery = listQuery(
  ['name', 'description', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  {
    name: filter.text(),
    description: filter.text(),
    appId: filter.exact(),
    moduleId: filter.exact(),
    public: Type.Optional(Type.Boolean()),
    ...stampFilters,
  },
);
export type ScenarioListQuery = Static<typeof ScenarioListQuery>;

const tag = 'scenarios';
const path = '/project/:projectId/scenario/:scenarioId';

export const scenarioEndpoints = endpoints({
  postProjectScenario: {
    method: 'POST',
    path: '/project/:projectId/scenario',
    tag,
    summary: 'Create a scenario from modules',
    access: { permission: 'createScenario' },
    query: ForMember,
    body: NewScenario,
    bodyLimit: 'freeForm',
    reply: Scenario,
    status: 201,
    errors: ['unusable_reference', 'too_large'],
  },
  getProjectScenarios: {
    method: 'GET',
    path: '/project/:projectId/scenarios',
    tag,
    summary: 'List the scenarios of a project',
    description:
      'Without the permission getModule, the properties of scenarios created by others are omitted.',
    access: { permission: 'getProject' },
    query: ScenarioListQuery,
    reply: page(Scenario),
    errors: ['too_large'],
  },
  getProjectScenario: {
    method: 'GET',
    path,
    tag,
    summary: 'Get a scenario',
    access: { permission: 'getModule', orCreator: true },
    reply: Scenario,
  },
  putProjectScenario: {
    method: 'PUT',
    path,
    tag,
    summary: 'Change the given fields; moduleIds replaces the whole list',
    access: { permission: 'editModule', orCreator: true },
    body: ScenarioChange,
    bodyLimit: 'freeForm',
    reply: Scenario,
    errors: ['unusable_reference', 'too_large', 'precondition_failed'],
  },
  deleteProjectScenario: {
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete a scenario; its modules are kept',
    access: { permission: 'deleteModule', orCreator: true },
    reply: Deleted,
    errors: ['precondition_failed'],
  },
});
