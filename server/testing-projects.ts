import type { ApiClient } from './testing.ts';

/** Deletes a project, and removes it from the trash at once. */
export async function removeProject(admin: ApiClient, projectId: string): Promise<void> {
  await admin.deleteProject({ params: { projectId } });
  await admin.deleteAdminDeletedProject({ params: { deletedProjectId: projectId } });
}
