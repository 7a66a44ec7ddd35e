import { parentPort } from 'node:worker_threads';
import { answerTask, type IfcTask } from './answer-task.ts';

const port = parentPort!;

port.on('message', (task: IfcTask) => void answerTask(task, (answer) => port.postMessage(answer)));
