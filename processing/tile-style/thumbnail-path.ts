/**
 * Where the service looks for the thumbnail of a datasource, which it shows as `/data/<id>/thumbnail.png`: of a file
 * beside it, under its name and this ending, of a folder within it.
 */
export function thumbnailPathOf(data: string, kind: 'file' | 'folder'): string {
  return kind === 'file' ? `${data}.thumbnail.png` : `${data}/thumbnail.png`;
}
