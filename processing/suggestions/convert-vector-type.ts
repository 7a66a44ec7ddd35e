/** The part of the job type that processes of jobs need: spec.ts loads TypeBox, which takes long. */
export const convertVectorType = { name: 'ConvertVector', datasourceType: 'flatgeobuf' } as const;
