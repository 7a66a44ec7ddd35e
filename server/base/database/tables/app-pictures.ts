export interface AppPictureTables {
  app_picture: {
    project_id: string;
    app_id: string;
    blob_id: string;
    size: number;
    sha256: Buffer;
    content_type: string;
    width: number;
    height: number;
    created_at: Date;
    created_by: string;
  };
}
