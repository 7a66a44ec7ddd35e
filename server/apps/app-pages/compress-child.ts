// Child process that compresses its input at the highest level; see compress-best.ts.
import { constants, setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { compressSlowly, type Encoding } from './compressed.ts';

setPriority(constants.priority.PRIORITY_LOW);
const body = await buffer(process.stdin);
process.stdout.end(await compressSlowly(body, process.argv[2] as Encoding));
