import assert from 'node:assert/strict';
import { test } from 'node:test';
import { managerPermissions, memberPermissions } from './permission.ts';

// as the API description lists them
const manager = `getProject, getDatasource, publishDatasource, getUser, getACL, getCredentials, createApp, createModule, editProject, createDatasource, deleteDatasource, editDatasource, createDatabase, getDatabase, deleteDatabase, accessDbImport, accessDbExport, accessDbDelete, accessObjectJob, accessApplyUpdateJob, accessObliqueJob, accessPanoramaJob, accessPointcloudJob, accessSolarJob, accessTerrainJob, accessTMSJob, accessCityDbInfo, grantRole, revokeRole, getJob, abortJob, createDataBucket, getDataBucket, editDataBucket, uploadToDataBucket, deleteDataBucket, getApp, editApp, deleteApp, publishApp, setAppPublic, getModule, editModule, deleteModule`;
const member = `getProject, getDatasource, publishDatasource, getUser, getACL, getCredentials, createScenario, createApp, createModule`;

test('the built-in roles carry exactly the permissions of the API description', () => {
  assert.deepEqual([...managerPermissions], manager.split(', '));
  assert.deepEqual([...memberPermissions], member.split(', '));
});
