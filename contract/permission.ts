/** The permissions of the built-in role projectManager, in the order the API documents them. */
export const managerPermissions = [
  'getProject',
  'getDatasource',
  'publishDatasource',
  'getUser',
  'getACL',
  'getCredentials',
  'createApp',
  'createModule',
  'editProject',
  'createDatasource',
  'deleteDatasource',
  'editDatasource',
  'createDatabase',
  'getDatabase',
  'deleteDatabase',
  'accessDbImport',
  'accessDbExport',
  'accessDbDelete',
  'accessObjectJob',
  'accessApplyUpdateJob',
  'accessObliqueJob',
  'accessPanoramaJob',
  'accessPointcloudJob',
  'accessSolarJob',
  'accessTerrainJob',
  'accessTMSJob',
  'accessCityDbInfo',
  'grantRole',
  'revokeRole',
  'getJob',
  'abortJob',
  'createDataBucket',
  'getDataBucket',
  'editDataBucket',
  'uploadToDataBucket',
  'deleteDataBucket',
  'getApp',
  'editApp',
  'deleteApp',
  'publishApp',
  'setAppPublic',
  'getModule',
  'editModule',
  'deleteModule',
] as const;

/** The permissions of the built-in role projectMember. */
export const memberPermissions = [
  'getProject',
  'getDatasource',
  'publishDatasource',
  'getUser',
  'getACL',
  'getCredentials',
  'createScenario',
  'createApp',
  'createModule',
] as const;

/** The permissions of a guest of a single app. */
export const guestPermissions = ['getApp'] as const;

export type Permission = (typeof managerPermissions)[number] | (typeof memberPermissions)[number];

export const permissions: readonly Permission[] = [
  ...new Set<Permission>([...managerPermissions, ...memberPermissions]),
];

/** An administrator manages users and may read, and delete, any project; secrets stay with its members. */
export const adminPermissions: readonly Permission[] = [
  'getProject',
  'getDatasource',
  'getUser',
  'getACL',
  'getDatabase',
  'getJob',
  'getDataBucket',
  'getApp',
  'getModule',
];
