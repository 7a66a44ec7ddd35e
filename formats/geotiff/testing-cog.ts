import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

export const debianPython = '/usr/bin/python3';
export const cogValidator = 'osgeo_utils.samples.validate_cloud_optimized_geotiff';

/** Debian has it as `python3-gdal`. */
export function hasCogValidator(): boolean {
  try {
    execFileSync(debianPython, ['-c', `import ${cogValidator}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What GDAL finds wrong or worth a warning in a cloud-optimized GeoTIFF. */
export async function validateCog(path: string): Promise<string[]> {
  const program = `
import sys, json
from osgeo import gdal
from ${cogValidator} import validate
gdal.UseExceptions()
warnings, errors, _ = validate(sys.argv[1], full_check=True)
print(json.dumps(warnings + errors))`;
  const { stdout } = await promisify(execFile)(debianPython, ['-c', program, path]);
  return JSON.parse(stdout) as string[];
}
