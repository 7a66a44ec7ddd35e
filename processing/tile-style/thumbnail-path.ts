/**
 * Path of a datasource's thumbnail, which the service serves as `/data/<id>/thumbnail.png`: next to a file, with this
 * suffix, or inside a folder.
 */
export function thumbnailPathOf(data: string, kind: 'file' | 'folder'): string {
  return kind === 'file' ? `${data}.thumbnail.png` : `${data}/thumbnail.png`;
}
