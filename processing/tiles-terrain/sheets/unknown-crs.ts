import { JobFailure } from '../../job-type.ts';

/** The failure of a sheet that has no coordinate system, neither its own nor from the task. */
export function unknownCrs(name: string): JobFailure {
  return new JobFailure(
    'unknownCrs',
    `${name} does not say in which coordinate system it is. Set the coordinate system of the input in the task, such as EPSG:25832.`,
  );
}
